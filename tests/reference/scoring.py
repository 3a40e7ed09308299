"""End of the game (§11, §12.9)."""

from __future__ import annotations

from collections.abc import Sequence

from . import box
from .state import COMPETITION, Competition, Player, Table


def final_scoring(table: Table) -> None:
    for player in table.players:
        sell_remaining_pieces(player)
        player.vp += sum(endgame_card_vp(player, kind) for kind in player.endgame_played)
        player.vp += box.ESPARTO_SET_SCALE[
            len({card for card in player.esparto if card is not None})
        ]
        player.vp -= player.cleaning_area
        player.vp += (player.pg + player.glaze + player.clay) // box.RESOURCES_PER_VP
    if table.competition is not None:
        sell_competition_pieces(table.competition)
    first = table.turn_order[0]
    if table.competition is not None and first == COMPETITION:
        table.competition.vp += box.FIRST_PLAYER_TOKEN_VP
    else:
        table.players[first].vp += box.FIRST_PLAYER_TOKEN_VP


def sell_remaining_pieces(player: Player) -> None:
    """Only kilns count; the market is not used (rulings O02, I12)."""
    for row, vp in (
        (player.firing_kilns, box.FINAL_UNPAINTED_VP),
        (player.glaze_kilns, box.FINAL_PAINTED_VP),
    ):
        for kiln in row:
            if kiln.piece is not None:
                player.vp += vp
                player.sold[kiln.piece] += 1
                kiln.piece = None


def sell_competition_pieces(competition: Competition) -> None:
    for piece, side in competition.pieces.items():
        if side is not None:
            competition.vp += box.FINAL_PAINTED_VP if side == "painted" else box.FINAL_UNPAINTED_VP
            competition.sold[piece] += 1
            competition.pieces[piece] = None


def endgame_card_vp(player: Player, kind: str) -> int:
    if kind in box.PIECES:
        return player.sold[kind]
    cards: dict[str, Sequence[object]] = {
        "wheel": [wheel for wheel in player.wheels if wheel is not None],
        "esparto": [card for card in player.esparto if card is not None],
        "cleanup": player.cleanup,
        "firing_kiln": player.firing_kilns,
        "workshop": player.workshops,
        "glaze_kiln": player.glaze_kilns,
    }
    scale = box.ESPARTO_SCALE if kind == "esparto" else box.TYPE_SCALE
    return scale[min(len(cards[kind]), len(scale) - 1)]


def scores(table: Table) -> list[int]:
    vp = [player.vp for player in table.players]
    return vp if table.competition is None else [*vp, table.competition.vp]
