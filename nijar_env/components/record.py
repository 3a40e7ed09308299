"""`BOX_DTYPE`: everything printed on boards, cards and tiles, as one record for the kernels.

Filled by `nijar_env.components.load_box`; passed to every kernel beside the game, so that another
box needs no recompilation. Card rows are indexed by card code (see `vocabulary`): 0-79 the
identities of game cards, 80-89 the starting cards. Costs are (pg, glaze, clay, cracks gained).
"""

from __future__ import annotations

import numpy as np

from .vocabulary import (
    ESPARTO_SPACES,
    MARKET_ROWS,
    MAX_CARD_SPACES,
    MAX_PLAYERS,
    MAX_TRACK,
    NUM_BONUS_TILES,
    NUM_CARD_CODES,
    NUM_COMPETITION_CARDS,
    NUM_ENDGAME_KINDS,
    NUM_ROUNDS,
    NUM_START_WHEELS,
    NUM_TILES,
    WHEEL_SPACES,
)

_I = np.int16
_PLAYER_COUNTS = MAX_PLAYERS + 1  # indexed by the number of players; row 1 is solo

BOX_DTYPE = np.dtype(
    (
        np.record,
        [
            # -- cards (§8.2)
            ("card_type", _I, (NUM_CARD_CODES,)),  # vocabulary.CARD_TYPES; -1 = identity not in use
            ("card_copies", _I, (NUM_CARD_CODES,)),
            ("card_cost", _I, (NUM_CARD_CODES, 4)),
            ("card_vp", _I, (NUM_CARD_CODES,)),  # wheels: VP when played
            ("card_spaces", _I, (NUM_CARD_CODES,)),  # wheel spaces after the grey one; crack spaces
            # wheels: one effect a space; esparto: rewards 0 and 1; cleanup: reward in row 0
            ("card_effect", _I, (NUM_CARD_CODES, MAX_CARD_SPACES, 5)),
            ("card_done_vp", _I, (NUM_CARD_CODES,)),  # wheels: VP on completion
            ("card_icon", _I, (NUM_CARD_CODES, 2)),  # side icons left, right (actions)
            ("card_paint", _I, (NUM_CARD_CODES, 2, 2)),  # alternatives x (glaze, cracks)
            ("card_paint_options", _I, (NUM_CARD_CODES,)),  # 1, or 2 where the card leaves a choice
            ("start_resources", _I, (NUM_START_WHEELS, 4)),  # pg, glaze, clay, cracks
            # -- workshop board
            ("wheel_space_action", _I, (WHEEL_SPACES,)),
            ("esparto_space_action", _I, (ESPARTO_SPACES,)),
            # -- main board
            ("tile_action", _I, (NUM_TILES, 2)),  # actions of a tile; 0 = none
            ("bonus_tile", _I, (NUM_BONUS_TILES,)),  # vocabulary.BONUSES
            ("bonus_tile_players", _I, (NUM_BONUS_TILES,)),  # smallest number of players using it
            ("market_vp", _I, (2, MARKET_ROWS)),  # unpainted, painted
            ("market_start", _I, (_PLAYER_COUNTS,)),
            ("demand", _I, (3,)),  # the three demand values of a round
            ("track_pg", _I, (_PLAYER_COUNTS, MAX_TRACK)),  # right turn-order track, pg gained
            ("track_spaces", _I, (_PLAYER_COUNTS,)),
            # -- costs and gains of actions (§8.3-8.6) and of the closed shop (§7.2.5)
            ("clay_price", _I, (4,)),  # pg for n clay
            ("tech_steps", _I, (4,)),  # vase steps at technology 1-3
            ("tech_vp", _I),  # reaching the last space
            ("shape_clay", _I, (3,)),  # clay for n pieces
            ("shape_cracks", _I, (3,)),
            ("bonus_clay", _I),
            ("bonus_supply", _I, (2,)),  # pg, glaze of the either-or bonus
            ("shop_reward", _I, (3,)),  # clay, pg, glaze
            # -- supplies (§4.1.7, §5.3)
            ("supply", _I, (4,)),  # pg, glaze, unused, cracks
            ("vases", _I),
            ("pieces", _I, (_PLAYER_COUNTS,)),  # of each type
            ("craftswomen", _I, (NUM_ROUNDS + 1,)),  # by round, from 1
            # -- endgame scoring (§11)
            ("endgame_copies", _I, (NUM_ENDGAME_KINDS,)),
            ("type_scale", _I, (6,)),  # VP for 0-5 cards
            ("esparto_scale", _I, (5,)),  # VP for 0-4 esparto cards
            ("set_scale", _I, (5,)),  # VP for 0-4 different esparto cards
            ("sold_vp", _I),
            ("left_piece_vp", _I, (2,)),  # unpainted, painted
            ("crack_vp", _I),
            ("token_vp", _I),
            ("resources_per_vp", _I),
            # -- the Competition (§12)
            ("comp_space", _I, (NUM_COMPETITION_CARDS, 2)),
            ("comp_donkey", _I, (NUM_COMPETITION_CARDS,)),  # DONKEY_*
            ("comp_direction", _I, (NUM_COMPETITION_CARDS, 2, 2)),  # two (row, column) offsets
            ("comp_piece", _I, (NUM_COMPETITION_CARDS, NUM_ROUNDS, 2)),  # -1 = no second piece
            ("comp_bump_vp", _I, (3,)),  # by difficulty
            ("comp_idle_vp", _I, (3,)),
            # -- rules switch: 0 = junction reading of side icons, 1 = the new card's own two (§8.2)
            ("own_side_icons", _I),
        ],
    )
)

__all__ = ["BOX_DTYPE"]
