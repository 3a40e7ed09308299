"""`GAME_DTYPE`: one whole game as one record. A batch of games is an array of these.

Nothing about a game lives outside its record: decks, pending effects and random streams are
fields. Seats are numbered from 0; in solo the player is seat 0 and the Competition seat 1.
Unused seats and spaces hold -1 (codes) or 0 (counts). `docs/state.md` is checked against this.
"""

from __future__ import annotations

import numpy as np

from ..components.vocabulary import (
    BOARD_ROWS,
    DRAFT_COLUMNS,
    DRAFT_ROWS,
    ESPARTO_SPACES,
    MAX_COLUMNS,
    MAX_DECK,
    MAX_PLAYERS,
    MAX_ROW,
    MAX_TRACK,
    NUM_CARDS,
    NUM_COMPETITION_CARDS,
    NUM_DECKS,
    NUM_ENDGAME_KINDS,
    NUM_PIECES,
    NUM_ROUNDS,
    NUM_START_WHEELS,
    WHEEL_SPACES,
)
from .catalogue import NUM_GAME_ACTIONS
from .constants import (
    EVENT_FIELDS,
    FRAME_FIELDS,
    MAX_EVENTS,
    MAX_FRAMES,
    NUM_STREAMS,
    NUM_VP_SOURCES,
)

_P = MAX_PLAYERS

GAME_FIELDS: tuple[tuple[str, type, tuple[int, ...], str], ...] = (
    # -- options
    ("num_players", np.int8, (), "1-4; 1 is solo"),
    ("num_seats", np.int8, (), "players, plus the Competition in solo"),
    ("difficulty", np.int8, (), "solo: 0 normal, 1 advanced, 2 expert"),
    ("auto_forced", np.int8, (), "1: decisions with one legal action are taken by the engine"),
    ("log_on", np.int8, (), "1: events are written to `events`"),
    # -- progress (§6, §7)
    ("phase", np.int8, (), "PHASE_*"),
    ("round_number", np.int8, (), "0 in setup, then 1-3"),
    ("turn_index", np.int8, (), "place in turn order of the player whose turn or step it is"),
    ("turn_player", np.int8, (), "seat whose turn it is"),
    ("current_player", np.int8, (), "seat that decides now; -1 when finished"),
    ("turn_order", np.int8, (_P,), "seats, first player first"),
    ("track", np.int8, (MAX_TRACK,), "right turn-order track (§8.11): seat or -1"),
    ("decisions", np.int32, (), "decisions taken so far that had two or more legal actions"),
    ("fault", np.int8, (), "0, or FAULT_*: an internal bound was broken (a bug, raised loudly)"),
    # -- setup (§4.3)
    ("combo_wheel", np.int8, (NUM_START_WHEELS,), "starting wheel code of each combination; -1"),
    ("combo_resources", np.int8, (NUM_START_WHEELS,), "starting resource card 0-4; -1"),
    # -- market (§7.1)
    ("demand", np.int8, (NUM_ROUNDS, NUM_PIECES), "demand tile by round and piece"),
    ("market", np.int8, (NUM_PIECES,), "marker row 0-12 by piece"),
    ("dice", np.int8, (3,), "last roll, 0 before the first"),
    # -- action board (§4.1, §7.2.1)
    ("tile", np.int8, (BOARD_ROWS, 3), "action tile 0-8"),
    ("bonus", np.int8, (MAX_COLUMNS,), "bonus under the column; -1 = column not in play"),
    ("special_bonus", np.int8, (2,), "bonus tiles on the Special Action"),
    ("space_owner", np.int8, (BOARD_ROWS, MAX_COLUMNS), "seat or -1"),
    ("space_count", np.int8, (BOARD_ROWS, MAX_COLUMNS), "craftswomen on the space"),
    ("special", np.int8, (_P,), "craftswomen of each seat on the Special Action"),
    # -- draft area (§4.1.6)
    ("draft", np.int8, (DRAFT_ROWS, DRAFT_COLUMNS), "card code or -1"),
    ("deck", np.int8, (NUM_DECKS, MAX_DECK), "card codes; the next card is at deck_size - 1"),
    ("deck_size", np.int8, (NUM_DECKS,), "cards left"),
    ("deck_seen", np.int8, (NUM_CARDS,), "copies in the decks that all saw return (§8.1)"),
    ("discards", np.int8, (NUM_CARDS,), "cards out of the game, by identity"),
    # -- general supply (§5.3)
    ("supply_pg", np.int16, (), "perra gorda"),
    ("supply_glaze", np.int16, (), "glazes"),
    ("supply_crack", np.int16, (), "cracks"),
    ("supply_vase", np.int16, (), "vases"),
    ("supply_piece", np.int8, (NUM_PIECES,), "unformed pieces by type"),
    # -- seats
    ("vp", np.int16, (_P,), "victory points"),
    ("vp_from", np.int16, (_P, NUM_VP_SOURCES), "the same by VP_* source"),
    ("pg", np.int16, (_P,), "perra gorda"),
    ("glaze", np.int16, (_P,), "glazes"),
    ("clay", np.int8, (_P,), "0-7"),
    ("cleaning_area", np.int8, (_P,), "cracks, 0-8"),
    ("technology", np.int8, (_P,), "1-3"),
    ("craftswomen", np.int8, (_P,), "available"),
    ("shop_closed", np.int8, (_P,), "0 open, 1 closed"),
    ("shop_craftswomen", np.int8, (_P,), "returned to the closed shop"),
    ("donkey", np.int8, (_P,), "draft space row x 5 + column; -1"),
    ("hand", np.int8, (_P, NUM_CARDS), "game cards in hand by identity"),
    ("hand_dealt", np.int8, (_P, NUM_CARDS), "of these, dealt and so unknown to the others"),
    ("hand_size", np.int8, (_P,), "game cards in hand"),
    ("endgame_hand", np.int8, (_P, NUM_ENDGAME_KINDS), "scoring cards in hand"),
    ("endgame_played", np.int8, (_P, NUM_ENDGAME_KINDS), "played face down (§10.2)"),
    ("endgame_discarded", np.int8, (_P, NUM_ENDGAME_KINDS), "discarded for an action (§7.2.2)"),
    ("wheel", np.int8, (_P, WHEEL_SPACES), "card code or -1; space 0 is the centre"),
    ("vase", np.int8, (_P, WHEEL_SPACES), "steps taken from the grey space"),
    ("wheel_done", np.int8, (_P, WHEEL_SPACES), "1: completed"),
    ("esparto", np.int8, (_P, ESPARTO_SPACES), "card code or -1; space 0 is the printed card"),
    ("cleanup", np.int8, (_P, MAX_ROW), "card codes"),
    ("cleanup_cracks", np.int8, (_P, MAX_ROW), "cracks on the card"),
    ("cleanup_size", np.int8, (_P,), "cards in the row"),
    ("firing_kiln", np.int8, (_P, MAX_ROW), "card codes"),
    ("firing_piece", np.int8, (_P, MAX_ROW), "unpainted piece in it or -1"),
    ("firing_size", np.int8, (_P,), "cards in the row"),
    ("workshop", np.int8, (_P, MAX_ROW), "card codes"),
    ("workshop_piece", np.int8, (_P, MAX_ROW), "painted piece in it or -1"),
    ("workshop_size", np.int8, (_P,), "cards in the row"),
    ("glaze_kiln", np.int8, (_P, MAX_ROW), "card codes"),
    ("glaze_piece", np.int8, (_P, MAX_ROW), "painted piece in it or -1"),
    ("glaze_size", np.int8, (_P,), "cards in the row"),
    ("drying", np.int8, (_P, NUM_PIECES), "shaped pieces not yet fired"),
    ("sold", np.int8, (_P, NUM_PIECES), "pieces sold"),
    # -- the Competition (§12); its VP, craftswomen, shop, donkey and sold pieces are seat 1's
    ("comp_piece", np.int8, (NUM_PIECES,), "0 none, 1 unpainted, 2 painted"),
    ("comp_deck", np.int8, (NUM_COMPETITION_CARDS,), "card 0-8, in order of reveal"),
    ("comp_revealed", np.int8, (), "cards turned up this round"),
    # -- random streams (see `rng`)
    ("seed", np.uint64, (), "the game's seed"),
    ("draws", np.int32, (NUM_STREAMS,), "numbers drawn so far from each stream"),
    # -- derived: what may be chosen now
    ("num_legal", np.int16, (), "number of legal actions"),
    ("legal", np.int8, (NUM_GAME_ACTIONS,), "1 = legal, by action of the catalogue"),
    # -- pending effects: a stack of frames (see `frames`); above `depth` it is zero
    ("depth", np.int16, (), "frames on the stack"),
    ("num_events", np.int16, (), "events written since they were last collected"),
    ("frames", np.int16, (MAX_FRAMES, FRAME_FIELDS), "kind, deciding seat, four arguments"),
    # -- events for the log (only with `log_on`)
    ("events", np.int16, (MAX_EVENTS, EVENT_FIELDS), "kind, seat, four arguments"),
)

GAME_DTYPE = np.dtype((np.record, [(name, kind, shape) for name, kind, shape, _ in GAME_FIELDS]))

# Where the stack begins: the bytes before it are what a copy of a game always needs.
STATE_BYTES = GAME_DTYPE.fields["frames"][1] if GAME_DTYPE.fields else 0
FRAME_BYTES = 2 * FRAME_FIELDS
