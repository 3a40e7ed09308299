"""What holds in every game after every decision, checked for whole arrays of game records.

`broken` looks at records as they are, `broken_step` at the records before and after one step. Both
work with numpy alone, on the fields of the record and the box, and know nothing of the kernels.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from nijar_env.components import vocabulary as v
from nijar_env.core import constants as c
from nijar_env.core.catalogue import A_DISCARD, A_PLACE, A_SELL, A_SPECIAL

Bools = npt.NDArray[np.bool_]
PLACES: Final = (
    "draft",
    "deck",
    "wheel",
    "esparto",
    "cleanup",
    "firing_kiln",
    "workshop",
    "glaze_kiln",
)
ROWS: Final = (
    ("cleanup", "cleanup_size", v.CLEANUP, v.START_CLEANUP),
    ("firing_kiln", "firing_size", v.FIRING_KILN, v.START_FIRING_KILN),
    ("workshop", "workshop_size", v.WORKSHOP, v.START_WORKSHOP),
    ("glaze_kiln", "glaze_size", v.GLAZE_KILN, v.START_GLAZE_KILN),
)
PIECE_ROWS: Final = (
    ("firing_piece", "firing_size"),
    ("workshop_piece", "workshop_size"),
    ("glaze_piece", "glaze_size"),
)


def total(array: Any) -> npt.NDArray[np.int64]:
    """The sum of everything in a field, game by game."""
    summed: npt.NDArray[np.int64] = array.reshape(len(array), -1).sum(axis=1, dtype=np.int64)
    return summed


def every(condition: Any) -> Bools:
    """True for games where the condition holds throughout."""
    holds: Bools = condition.reshape(len(condition), -1).all(axis=1)
    return holds


def codes_in(games: Any, *fields: str) -> npt.NDArray[np.int64]:
    """How often each card code stands in some fields: (B, NUM_CARD_CODES)."""
    size = len(games)
    width = v.NUM_CARD_CODES + 1
    codes = [games[name].reshape(size, -1) for name in fields]
    offset = np.arange(size, dtype=np.int64)[:, None] * width + 1
    flat = (np.concatenate(codes, axis=1).astype(np.int64) + offset).ravel()
    return np.bincount(flat, minlength=size * width).reshape(size, width)[:, 1:]


def card_counts(games: Any) -> npt.NDArray[np.int64]:
    """How often each card code lies anywhere, hands and discards included: (B, NUM_CARD_CODES)."""
    counts = codes_in(games, *PLACES, "combo_wheel")
    counts[:, : v.NUM_CARDS] += games["hand"].sum(axis=1, dtype=np.int64) + games["discards"]
    return counts


def on_board(games: Any) -> npt.NDArray[np.int64]:
    """Craftswomen on action spaces and the Special Action."""
    return total(games["space_count"]) + total(games["special"])


def _not_negative(games: Any) -> Bools:
    holds = np.ones(len(games), np.bool_)
    for name in ("supply_pg", "supply_glaze", "supply_crack", "supply_vase", "supply_piece"):
        holds &= games[name].reshape(len(games), -1).min(axis=1) >= 0
    for name in ("pg", "glaze", "drying", "sold", "hand", "cleanup_cracks", "deck_size"):
        holds &= games[name].reshape(len(games), -1).min(axis=1) >= 0
    return holds


def _supplies(games: Any, box: Any) -> dict[str, Bools]:
    pieces = box["pieces"][games["num_players"]]
    found = {
        "perra gorda add up": games["supply_pg"] + total(games["pg"]) == box["supply"][v.PG],
        "glazes add up": games["supply_glaze"] + total(games["glaze"]) == box["supply"][v.GLAZE],
        "cracks add up": games["supply_crack"]
        + total(games["cleaning_area"])
        + total(games["cleanup_cracks"])
        == box["supply"][v.CRACK],
        "vases add up": games["supply_vase"] + total(games["wheel"] >= 0) == box["vases"],
        "nothing is below zero": _not_negative(games),
        "clay is 0 to 7": every((games["clay"] >= 0) & (games["clay"] <= v.CLAY_CAP)),
        "the cleaning area holds 0 to 8": every(
            (games["cleaning_area"] >= 0) & (games["cleaning_area"] <= v.CLEANING_CAP)
        ),
    }
    for i, name in enumerate(v.PIECES):
        held = games["supply_piece"][:, i] + total(games["drying"][:, :, i])
        for field, _ in PIECE_ROWS:
            held = held + total(games[field] == i)
        held = held + total(games["sold"][:, :, i]) + (games["comp_piece"][:, i] > 0)
        found[f"{name} pieces add up"] = held == pieces
    return found


def _cards(games: Any, box: Any) -> dict[str, Bools]:
    counts = card_counts(games)
    copies = np.where(box["card_type"][: v.NUM_CARDS] >= 0, box["card_copies"][: v.NUM_CARDS], 0)
    place = np.arange(v.MAX_DECK)
    sizes = games["deck_size"][:, :, None]
    endgame = games["endgame_hand"] + games["endgame_played"] + games["endgame_discarded"]
    players = np.arange(v.MAX_PLAYERS) < games["num_players"][:, None]
    found = {
        "each card lies in one place": every(counts[:, : v.NUM_CARDS] == copies),
        "no starting wheel lies twice": every(counts[:, v.START_WHEEL : v.START_CLEANUP] <= 1),
        "decks are filled from the bottom": every((games["deck"] >= 0) == (place < sizes)),
        "what all saw return is in the decks": every(
            games["deck_seen"] <= codes_in(games, "deck")[:, : v.NUM_CARDS]
        ),
        "hand sizes are right": every(games["hand"].sum(axis=2) == games["hand_size"]),
        "dealt cards are in hand": every(games["hand_dealt"] <= games["hand"]),
        "three endgame cards each": every(endgame.sum(axis=2) == v.HAND_ENDGAME * players),
        "endgame cards of the box": every(endgame.sum(axis=1) <= box["endgame_copies"]),
    }
    width = np.arange(v.MAX_ROW)
    for field, size, kind, start in ROWS:
        within = width < games[size][:, :, None]
        row = games[field]
        kinds = np.where(row >= 0, box["card_type"][row], -1)
        found[f"the {field} row is dense"] = every((row >= 0) == within)
        found[f"the {field} row holds its type"] = every((kinds == kind) | ~within)
        found[f"the {field} row begins with the starting card"] = every(
            np.where(players, row[:, :, 0] == start, row[:, :, 0] < 0)
        )
    for field, size in PIECE_ROWS:
        within = width < games[size][:, :, None]
        pieces = games[field]
        found[f"{field}: one piece a place"] = every((pieces >= -1) & (pieces < v.NUM_PIECES))
        found[f"{field}: no piece without a card"] = every((pieces < 0) | within)
    return found


def _seats(games: Any, box: Any) -> dict[str, Bools]:
    seats = np.arange(v.MAX_PLAYERS) < games["num_seats"][:, None]
    in_play = games["bonus"] >= 0
    owned = games["space_owner"] >= 0
    board = [
        total(np.where(games["space_owner"] == p, games["space_count"], 0))
        for p in range(v.MAX_PLAYERS)
    ]
    home = (games["phase"] == c.PHASE_END_OF_ROUND) | (games["phase"] == c.PHASE_FINISHED)
    workers = box["craftswomen"][np.maximum(games["round_number"], 1)] - home
    have = games["craftswomen"] + games["special"] + games["shop_craftswomen"]
    donkeys = np.sort(np.where(games["donkey"] >= 0, games["donkey"], -1 - np.arange(4)), axis=1)
    order = np.sort(np.where(seats, games["turn_order"], np.arange(4)), axis=1)
    track = np.sort(np.where(games["track"] >= 0, games["track"], -1 - np.arange(4)), axis=1)
    live = games["phase"] != c.PHASE_FINISHED
    players = games["num_players"]
    rows = np.arange(len(games))
    return {
        "each space has one owner": every(owned == (games["space_count"] > 0)),
        "spaces in play": every(~owned | in_play[:, None, :]),
        "craftswomen add up": every(
            np.where(seats, have + np.stack(board, axis=1) == workers[:, None], have == 0)
        ),
        "nothing is negative of craftswomen": every(
            (games["craftswomen"] >= 0) & (games["special"] >= 0) & (games["shop_craftswomen"] >= 0)
        ),
        "returned ones lie on closed shops": every(
            (games["shop_craftswomen"] == 0) | (games["shop_closed"] == 1)
        ),
        "a player's closed shop has none at hand": every(
            (games["shop_closed"] == 0)
            | (games["craftswomen"] == 0)
            | (np.arange(v.MAX_PLAYERS) >= players[:, None])
        ),
        "donkeys stand apart": every(np.diff(donkeys, axis=1) != 0),
        "the turn order is of all seats": every(order == np.arange(v.MAX_PLAYERS)),
        "a marker a seat on the track": every(np.diff(track, axis=1) != 0),
        "technology is 1 to 3": every(
            np.where(
                np.arange(v.MAX_PLAYERS) < players[:, None],
                (games["technology"] >= 1) & (games["technology"] <= v.MAX_TECHNOLOGY),
                games["technology"] == 0,
            )
        ),
        "a player decides": np.where(
            live,
            (games["current_player"] >= 0) & (games["current_player"] < players),
            games["current_player"] == c.NOBODY,
        ),
        "the turn player is where the order says": ~live
        | (games["turn_player"] == games["turn_order"][rows, games["turn_index"]]),
        "VP come from somewhere": every(games["vp"] == games["vp_from"].sum(axis=2)),
        "unused seats have nothing": every(
            seats | ((games["vp"] == 0) & (games["pg"] == 0) & (games["hand_size"] == 0))
        ),
    }


def _boards(games: Any, box: Any) -> dict[str, Bools]:
    demand = np.sort(games["demand"], axis=2)
    tiles = np.sort(games["tile"].reshape(len(games), -1), axis=1)
    wheels = games["wheel"]
    spaces = np.where(wheels >= 0, box["card_spaces"][wheels], 0)
    done = games["wheel_done"] == 1
    at_end = (wheels >= 0) & (games["vase"] == spaces) & ~done
    waiting = (games["frames"][:, :, 0] == c.F_COMPLETE_WHEEL) & (
        np.arange(games["frames"].shape[1]) < games["depth"][:, None]
    )
    return {
        "demand tiles of each round": every(demand == np.sort(box["demand"])),
        "markers stand on the market": every(
            (games["market"] >= 0) & (games["market"] < v.MARKET_ROWS)
        ),
        "dice show 1 to 6": every(
            np.where(
                games["round_number"][:, None] > 0,
                (games["dice"] >= 1) & (games["dice"] <= 6),
                games["dice"] == 0,
            )
        ),
        "each tile lies once": every(tiles == np.arange(v.NUM_TILES)),
        "vases stand on their wheels": every(
            (games["vase"] >= 0) & (games["vase"] <= spaces) & (~done | (games["vase"] == spaces))
        ),
        "a vase on a last space waits for its slot": total(at_end) == waiting.sum(axis=1),
        "the Competition's cards": every(
            np.where(
                games["num_players"][:, None] == 1,
                np.sort(games["comp_deck"], axis=1) == np.arange(v.NUM_COMPETITION_CARDS),
                games["comp_deck"] == 0,
            )
        ),
        "one card stays face down": (games["comp_revealed"] >= 0)
        & (games["comp_revealed"] < v.NUM_COMPETITION_CARDS),
    }


def _pending(games: Any, box: Any) -> dict[str, Bools]:
    frames, depth = games["frames"], games["depth"]
    rows = np.arange(len(games))
    above = np.arange(frames.shape[1]) >= depth[:, None]
    top = frames[rows, np.maximum(depth - 1, 0)]
    cleanup = games["cleanup"]
    full = (cleanup >= 0) & (games["cleanup_cracks"] == box["card_spaces"][cleanup])
    too_full = (cleanup >= 0) & (games["cleanup_cracks"] > box["card_spaces"][cleanup])
    cleaning = (depth > 0) & (top[:, 0] == c.F_CLEAN)
    own = np.arange(v.MAX_PLAYERS) == np.where(cleaning, top[:, 1], -1)[:, None]
    legal = games["legal"].sum(axis=1, dtype=np.int64)
    live = games["phase"] != c.PHASE_FINISHED
    least = np.where(games["auto_forced"] == 1, 2, 1)
    return {
        "no fault": games["fault"] == 0,
        "no events are left": games["num_events"] == 0,
        "frames are zero above the top": every((frames == 0) | ~above[:, :, None]),
        "effects are pending in turns only": (depth == 0) | (games["phase"] == c.PHASE_TURNS),
        "the top frame's player decides": (depth == 0) | (top[:, 1] == games["current_player"]),
        "no card holds more cracks than spaces": ~too_full.any(axis=(1, 2)),
        "no cleanup card is full outside a Clean": every(~full.any(axis=2) | own),
        "legal actions are counted": legal == games["num_legal"],
        "a live game offers choices, a finished one none": np.where(
            live, legal >= least, (legal == 0) & (depth == 0)
        ),
    }


def broken(games: Any, box: Any) -> list[str]:
    """The invariants that some game of an array of records breaks, each with such a game."""
    found: list[str] = []
    for part in (_supplies, _cards, _seats, _boards, _pending):
        for name, holds in part(games, box).items():
            assert holds.shape == (len(games),), name
            if not holds.all():
                found.append(f"{name} (game {int(np.argmin(holds))})")
    return found


def broken_step(before: Any, actions: Any, after: Any) -> list[str]:
    """The invariants of one step, without forced decisions, of games that were live before it."""
    place = (actions >= A_PLACE) & (actions <= A_SPECIAL)
    turns = after["comp_revealed"].astype(np.int64) - before["comp_revealed"]
    more = on_board(after) - on_board(before)
    sell = (actions >= A_SELL) & (actions < A_SELL + 6)
    discard = (actions >= A_DISCARD) & (actions < A_SELL)
    same_round = (after["phase"] == before["phase"]) & (
        after["round_number"] == before["round_number"]
    )
    holds = {
        # In solo the Competition's turn may follow: one more for each card it has turned up.
        "a placement adds one craftswoman": ~place | (more == 1 + turns),
        "nothing else adds one": place | ~same_round | (more == turns),
        "a sale is of one piece": ~sell
        | (before["phase"] != c.PHASE_TURNS)
        | (total(after["sold"][:, :1]) + total(after["sold"][:, 1:]) > total(before["sold"])),
        "a discard is of one card": ~discard
        | (total(after["endgame_discarded"]) == total(before["endgame_discarded"]) + 1),
        "pieces never come back": every(after["supply_piece"] <= before["supply_piece"]),
        "sold pieces stay sold": every(after["sold"] >= before["sold"]),
        "discards stay out": every(after["discards"] >= before["discards"]),
        "cards in play stay": every((before["wheel"] < 0) | (before["wheel"] == after["wheel"]))
        & every((before["esparto"] < 0) | (before["esparto"] == after["esparto"]))
        & every(after["cleanup_size"] >= before["cleanup_size"])
        & every(after["firing_size"] >= before["firing_size"])
        & every(after["workshop_size"] >= before["workshop_size"])
        & every(after["glaze_size"] >= before["glaze_size"]),
        "technology never falls": every(after["technology"] >= before["technology"]),
        "vases never go back": every(after["vase"] >= before["vase"]),
        "rounds never go back": after["round_number"] >= before["round_number"],
        "decisions are counted": after["decisions"] - before["decisions"]
        == (before["num_legal"] > 1),
        "boards stay as they were laid": every(after["tile"] == before["tile"])
        & every(after["bonus"] == before["bonus"])
        & every(after["special_bonus"] == before["special_bonus"])
        & every(after["demand"] == before["demand"]),
    }
    return [f"{name} (game {int(np.argmin(ok))})" for name, ok in holds.items() if not ok.all()]


def check(games: Any, box: Any) -> None:
    """Assert the invariants of an array of records; `box` is the box's record."""
    found = broken(games, box)
    assert not found, "; ".join(found)


def check_step(before: Any, actions: Any, after: Any) -> None:
    """Assert the invariants of one step in games that were live before it."""
    found = broken_step(before, actions, after)
    assert not found, "; ".join(found)
