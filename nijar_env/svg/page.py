"""`svg_page`: a game as one picture, as one viewer sees it.

What the viewer may not know is not there: cards dealt to others, their endgame cards, what others
may choose from, the order of decks, dice to come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..log import check_viewer
from ..render_words import View
from .decision import DECISION_HEIGHT, decision, legend
from .icons import definitions
from .seats import competition, hand, results
from .shapes import FONT, INK, PAPER, Choices, group, rect
from .table import (
    DRAFT_HEIGHT,
    DRAFT_WIDTH,
    MARGIN,
    TOP_HEIGHT,
    WIDTH,
    Sheet,
    board,
    draft,
    market,
    order,
    title_bar,
)
from .workshop import WORKSHOP_HEIGHT, WORKSHOP_WIDTH, workshop

if TYPE_CHECKING:
    from ..game import Game

SPECTATOR: Final = -1  # sees what all players see
_GAP: Final = 6
_TITLE: Final = 28
_LEGEND: Final = 20


def page_size(num_players: int) -> tuple[int, int]:
    """Width and height of the picture in pixels; they depend on the number of players alone, and
    are even, as films want them."""
    rows = 1 if num_players <= 2 else 2
    parts = (_TITLE, TOP_HEIGHT, DRAFT_HEIGHT, DECISION_HEIGHT, *[WORKSHOP_HEIGHT] * rows, _LEGEND)
    height = 2 * MARGIN + sum(parts) + _GAP * (len(parts) - 1)
    return WIDTH, height + height % 2


def svg_page(game: Game, viewer: int | None = None) -> str:
    """A whole state as an SVG document, 1,200 pixels wide (see `page_size`).

    Every element that a legal action of the viewer refers to lies in a group of class `choice`
    whose attribute `data-actions` has the names of the actions, separated by spaces. Choices that
    refer to nothing on the table, or that share an element with others, have buttons. Whoever is
    not to act has no choices.

    Args:
        game: any game, also a finished one; it is only read.
        viewer: the player whose view it is. None: the player to act, and of a finished game what
            everybody sees.

    Raises:
        ValueError: there is no such player.
    """
    if viewer is not None:
        seat = check_viewer(viewer, game.num_players)
    else:
        seat = SPECTATOR if game.current_player is None else game.current_player
    names = []
    if seat == game.current_player:
        names = [game.action_name(action) for action in game.legal_actions()]
    sheet = Sheet(View(game.box, game.to_dict(), seat), Choices(names))
    width, height = page_size(game.num_players)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{FONT}" fill="{INK}" role="img" '
        f'aria-label="{_label(game)}"><style>.choice{{cursor:pointer}}</style>{definitions()}'
        f"{rect(0, 0, width, height, fill=PAPER, stroke=PAPER, radius=0)}"
        f"{_parts(sheet, game)}</svg>"
    )


def _label(game: Game) -> str:
    who = "over" if game.done else f"player {game.current_player} to act"
    return f"Níjar, round {game.round}, {who}"


def _parts(sheet: Sheet, game: Game) -> str:
    out: list[str] = []

    def put(part: str, body: str, x: float, y: float) -> None:
        out.append(group(body, shift=(x, y), part=part))

    y: float = MARGIN
    put("title", title_bar(sheet), MARGIN, y)
    y += _TITLE + _GAP
    put("table", market(sheet) + order(sheet) + board(sheet), MARGIN, y)
    y += TOP_HEIGHT + _GAP
    put("draft", draft(sheet), MARGIN, y)
    side = MARGIN + DRAFT_WIDTH + _GAP
    viewer = sheet.view.viewer
    finished = game.done or viewer is None or viewer == SPECTATOR
    body = results(sheet, game.winner) if finished else hand(sheet, viewer or 0)
    put("results" if finished else "hand", body, side, y)
    y += DRAFT_HEIGHT + _GAP
    below = y + DECISION_HEIGHT + _GAP
    for seat in range(game.num_players):
        x = MARGIN + (WORKSHOP_WIDTH + _GAP) * (seat % 2)
        down = below + (WORKSHOP_HEIGHT + _GAP) * (seat // 2)
        put(f"workshop-{seat}", workshop(sheet, seat), x, down)
    if game.num_players == 1:
        put("competition", competition(sheet), MARGIN + WORKSHOP_WIDTH + _GAP, below)
    # Last, since its buttons are for what has no place in the parts above.
    put("decision", decision(sheet), MARGIN, y)
    put("legend", legend(), MARGIN, page_size(game.num_players)[1] - MARGIN - _LEGEND)
    return "".join(out)
