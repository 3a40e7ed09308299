"""The riskiest rulings turned round: for each, an edit of the kernels that plays another reading,
and the tests that must notice.

An edit is a text of the module and its replacement; the text must stand there exactly once.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Mutation(NamedTuple):
    """Another reading of one ruling."""

    ruling: str
    reading: str
    module: str  # of nijar_env/core
    edits: tuple[tuple[str, str], ...]
    tests: tuple[str, ...]  # module::test of tests/rules; each must fail


MUTATIONS: Final = (
    Mutation(
        "D01",
        "a new kiln gives its own two icons",
        "play",
        (
            (
                "left = box.card_icon[previous, 1] if previous >= 0 else 0",
                "left = box.card_icon[card, 1]",
            ),
        ),
        (
            "test_play::test_the_two_icons_that_face_each_other",
            "test_contradictions::test_side_icons_of_the_junction_not_of_the_new_card",
        ),
    ),
    Mutation(
        "D04",
        "space k of the right track is place k of the order",
        "round_end",
        (
            (
                "        if g.track[k] >= 0:\n"
                "            order[n] = g.track[k]\n            n += 1\n",
                "        order[k] = g.track[k]\n",
            ),
            (
                "            order[n] = g.turn_order[i]\n",
                "            while order[n] >= 0:\n                n += 1\n"
                "            order[n] = g.turn_order[i]\n",
            ),
        ),
        (
            "test_contradictions::test_the_place_on_the_right_track_is_no_place_in_the_order",
            "test_examples::test_example_8_11_second_in_the_next_round",
        ),
    ),
    Mutation(
        "D06",
        "two pieces hand two cracks in",
        "throw",
        (
            (
                "    pay(g, p, 0, 0, box.shape_clay[2], box.shape_cracks[2])",
                "    pay(g, p, 0, 0, box.shape_clay[2], 0)\n"
                "    g.cleaning_area[p] = max(g.cleaning_area[p] - box.shape_cracks[2], 0)",
            ),
        ),
        (
            "test_contradictions::test_two_pieces_gain_cracks_and_do_not_spend_them",
            "test_examples::test_example_8_6_a_plate_and_a_pot_for_two_clay_and_two_cracks",
        ),
    ),
    Mutation(
        "D07",
        "a card is emptied as soon as it is full",
        "clean",
        (
            (
                "        g.cleanup_cracks[p, k] += 1\n",
                "        g.cleanup_cracks[p, k] += 1\n"
                "        if g.cleanup_cracks[p, k] == box.card_spaces[g.cleanup[p, k]]:\n"
                "            g.supply_crack += g.cleanup_cracks[p, k]\n"
                "            g.cleanup_cracks[p, k] = 0\n",
            ),
        ),
        (
            "test_contradictions::test_a_card_filled_in_mid_clean_is_not_empty_again",
            "test_examples::test_example_8_9_three_cracks_on_two_cards",
        ),
    ),
    Mutation(
        "D08",
        "rows may be refreshed after taking a card",
        "acquire",
        (("    if taken == 0:\n", "    if taken >= 0:\n"),),
        ("test_acquire::test_each_row_once_and_only_before_the_first_card",),
    ),
    Mutation(
        "D12",
        "the ninth card is turned up, without pieces",
        "competition",
        (
            (
                "g.comp_revealed + 1 >= NUM_COMPETITION_CARDS",
                "g.comp_revealed >= NUM_COMPETITION_CARDS",
            ),
            (
                "    back = g.comp_deck[g.comp_revealed]\n",
                "    if g.comp_revealed >= NUM_COMPETITION_CARDS:\n        return\n"
                "    back = g.comp_deck[g.comp_revealed]\n",
            ),
        ),
        (
            "test_solo::test_eight_turns_and_then_it_closes",
            "test_contradictions::test_the_last_card_is_never_turned_up",
        ),
    ),
    Mutation(
        "D13",
        "three VP for each craftswoman sent home",
        "competition",
        (("box.comp_bump_vp[g.difficulty]", "standing * box.comp_bump_vp[g.difficulty]"),),
        ("test_solo::test_it_bumps_k_with_k_and_one_for_one_reward",),
    ),
    Mutation(
        "D15",
        "the better of two rolls counts",
        "market",
        (
            (
                "        roll_dice(g, 1)\n",
                "        before = g.dice.copy()\n        roll_dice(g, 1)\n"
                "        if before.sum() > g.dice.sum():\n            g.dice[:] = before\n",
            ),
        ),
        (
            "test_market::test_a_reroll_is_of_all_dice_once_and_binding",
            "test_contradictions::test_a_worse_reroll_stays",
        ),
    ),
    Mutation(
        "D17",
        "markers stay where the last round left them",
        "market",
        (("        g.market[piece] = box.market_start[g.num_players]\n", ""),),
        (
            "test_market::test_markers_start_anew_each_round_and_rise_by_demand",
            "test_contradictions::test_last_rounds_market_is_forgotten",
        ),
    ),
    Mutation(
        "B06",
        "returned craftswomen are out until the end of the round",
        "returns",
        (("    if closed == 0:\n        g.craftswomen[owner] += count\n        return\n", ""),),
        (
            "test_turns::test_one_more_than_stand_there_and_those_go_home",
            "test_solo::test_its_craftswomen_return_to_an_open_shop",
        ),
    ),
    Mutation(
        "B07",
        "one reward however many come back",
        "returns",
        (("push(g, F_SHOP, owner, count, 0, 0, 0)", "push(g, F_SHOP, owner, 1, 0, 0, 0)"),),
        ("test_turns::test_a_closed_owner_is_rewarded_for_each_before_play_goes_on",),
    ),
    Mutation(
        "B08",
        "the action comes before the bonuses",
        "turns",
        (
            (
                "    if owed > 0 and bonus_changes",
                "    if action == 0 and owed > 0 and bonus_changes",
            ),
        ),
        (
            "test_turns::test_the_action_may_be_chosen_after_the_bonus",
            "test_turns::test_bonuses_may_come_before_and_after_the_action",
        ),
    ),
    Mutation(
        "B13",
        "throw bonuses come one step at a time",
        "bonuses",
        (
            (
                "return bonus == BONUS_THROW or bonus == BONUS_ACQUIRE",
                "return bonus == BONUS_ACQUIRE",
            ),
        ),
        ("test_turns::test_three_throw_bonuses_are_one_throw_of_three_steps",),
    ),
    Mutation(
        "C01",
        "the round ends as soon as all shops are closed",
        "engine",
        (
            (
                "        if g.turn_index + 1 < g.num_seats:\n            g.turn_index += 1\n",
                "        if g.turn_index + 1 < g.num_seats and not all_shops_closed(g):\n"
                "            g.turn_index += 1\n",
            ),
        ),
        (
            "test_turns::test_later_players_have_one_more_bonus_turn",
            "test_contradictions::test_equal_turns",
        ),
    ),
    Mutation(
        "MK05",
        "a sale pays the row that the marker comes to",
        "market",
        (
            (
                "    vp = box.market_vp[painted, g.market[piece]]\n"
                "    g.market[piece] = max("
                "g.market[piece] - g.demand[g.round_number - 1, piece], 0)\n",
                "    g.market[piece] = max("
                "g.market[piece] - g.demand[g.round_number - 1, piece], 0)\n"
                "    vp = box.market_vp[painted, g.market[piece]]\n",
            ),
        ),
        (
            "test_market::test_the_second_sale_uses_the_moved_marker",
            "test_examples::test_example_7_2_3_two_sales_for_eleven_vp",
        ),
    ),
    Mutation(
        "E02",
        "the second card is priced from the first",
        "acquire",
        (
            (
                "    pay(g, p, cost, 0, 0, 0)\n",
                "    pay(g, p, cost, 0, 0, 0)\n    g.donkey[p] = space\n",
            ),
        ),
        ("test_acquire::test_both_cards_are_priced_from_where_the_donkey_stood",),
    ),
    Mutation(
        "E04",
        "the donkey may stay after a purchase",
        "acquire",
        (("    if choices > 0 and (taken == 0 or not landing):\n", "    if choices > 0:\n"),),
        ("test_acquire::test_the_donkey_must_move_after_a_purchase",),
    ),
    Mutation(
        "E07",
        "spaces are refilled card by card",
        "acquire",
        (
            (
                "    g.frames[g.depth - 1, 3] += 1\n",
                "    g.frames[g.depth - 1, 3] += 1\n    refill_row(g, row)\n",
            ),
        ),
        ("test_acquire::test_take_then_donkey_then_refill",),
    ),
    Mutation(
        "E09",
        "a refresh takes the card under a rival's donkey too",
        "acquire",
        (
            (
                "        if available(g, p, row * DRAFT_COLUMNS + column):\n            # Under",
                "        if g.draft[row, column] >= 0:\n            # Under",
            ),
        ),
        ("test_acquire::test_only_available_cards_count_for_a_refresh",),
    ),
    Mutation(
        "F04",
        "a crack cost takes as many tokens as there are",
        "supply",
        ((" and amount <= g.supply_crack", ""),),
        (
            "test_play::test_a_crack_cost_needs_tokens_in_the_supply",
            "test_kilns::test_painting_for_cracks_needs_tokens",
        ),
    ),
    Mutation(
        "H02",
        "technology raised during a throw adds a step",
        "extract",
        (
            (
                "        g.technology[p] += 1\n",
                "        g.technology[p] += 1\n"
                "        for i in range(g.depth):\n"
                "            if g.frames[i, 0] == 12:\n"
                "                g.frames[i, 2] += 1\n",
            ),
        ),
        ("test_throw_shape::test_technology_raised_during_a_throw_adds_no_steps",),
    ),
    Mutation(
        "H07",
        "the VP of a completed wheel come before the benefit",
        "throw",
        (
            (
                "        push(g, F_COMPLETE_WHEEL, p, k, 0, 0, 0)\n",
                "        push(g, F_COMPLETE_WHEEL, p, k, 0, 0, 0)\n"
                "        complete_wheel(box, g, p, k)\n",
            ),
        ),
        ("test_throw_shape::test_the_last_benefit_comes_before_the_slot_and_its_vp",),
    ),
    Mutation(
        "D27",
        "a fire is of the drying area alone",
        "kilns",
        (("    if can_fire_workshop(g, p):\n", "    if False:\n"),),
        (
            "test_kilns::test_one_fire_moves_any_number_in_both_stages",
            "test_examples::test_example_8_7_three_moves_in_one_fire",
        ),
    ),
    Mutation(
        "J03",
        "a crack may go to the supply while a space is empty",
        "clean",
        (("        if g.num_legal == 0:\n", "        if g.num_legal >= 0:\n"),),
        (
            "test_clean::test_onto_a_card_of_choice_while_a_space_is_empty",
            "test_clean::test_a_single_clean_goes_onto_a_card_and_completes_it_at_once",
        ),
    ),
    Mutation(
        "L03",
        "the First Player action more than once a round",
        "first_player",
        (("    if on_track(g, p):\n        return False\n", ""),),
        ("test_first_player::test_once_a_round_whatever_the_source",),
    ),
    Mutation(
        "O04",
        "the starting wheel does not count",
        "scoring",
        (
            (
                "    if kind == 0:\n        for k in range(WHEEL_SPACES):\n",
                "    if kind == 0:\n        for k in range(1, WHEEL_SPACES):\n",
            ),
        ),
        ("test_scoring::test_wheels_in_play_with_the_starting_one",),
    ),
    Mutation(
        "O05",
        "equal esparto cards count in the set",
        "scoring",
        (("new = new and g.esparto[p, j] != card", "new = new and g.esparto[p, j] != -2"),),
        ("test_scoring::test_esparto_card_and_set",),
    ),
    Mutation(
        "O09",
        "a tie goes to the rightmost",
        "scoring",
        (("        if g.vp[seat] > g.vp[best]:\n", "        if g.vp[seat] >= g.vp[best]:\n"),),
        (
            "test_scoring::test_a_tie_goes_to_the_leftmost",
            "test_solo::test_a_tie_is_won_by_the_leftmost",
        ),
    ),
    Mutation(
        "P06",
        "it sends home any number with two",
        "competition",
        (("    needed = standing + 1\n", "    needed = min(standing, 1) + 1\n"),),
        ("test_solo::test_too_few_for_a_bump_go_one_to_the_special_action",),
    ),
    Mutation(
        "P10",
        "its donkey moves from where it stands itself",
        "competition",
        (
            (
                "    target = neighbour(g, g.donkey[PLAYER], box.comp_direction[card, 0])\n"
                "    if target < 0:\n",
                "    target = neighbour(g, g.donkey[COMPETITION], box.comp_direction[card, 0])\n"
                "    if target < 0:\n",
            ),
        ),
        ("test_solo::test_beside_your_donkey_preferred_then_alternative",),
    ),
)
