"""Playing games: paired, recorded truly, and independent of what is beside them."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from agents import Agent, GameView, make_agent
from agents.base import Actions, Masks, Observations
from eval.records import GameRecord
from eval.table import AgentFault, Assignment, Cast, game_seed, hashed_seed, play
from nijar_env import Game
from nijar_env.core.constants import EV_SOLD, EV_START, EVENTS, VP_SOURCES

from .stubs import Broken, Mixed, make


class Watcher(Mixed):
    """Remembers what it was shown."""

    def __init__(self, name: str = "watcher", needs_observations: bool = False) -> None:
        super().__init__(name)
        self.needs_observations = needs_observations
        self.tiles: dict[int, list[int]] = {}
        self.players: dict[int, set[int]] = {}
        self.observed: list[Observations | None] = []

    def act(self, observations: Observations | None, masks: Masks, games: GameView) -> Actions:
        assert len(masks) == len(games)
        self.observed.append(observations)
        known = games.determinize(np.zeros(len(games), np.uint64))
        for game, player, record in zip(games.ids, games.players, known, strict=True):
            self.tiles.setdefault(int(game), record["tile"].ravel().tolist())
            self.players.setdefault(int(game), set()).add(int(player))
        return super().act(observations, masks, games)


def played(
    assignments: Sequence[Assignment], *agents: Agent, seed: int = 7, batch_size: int = 128
) -> list[GameRecord]:
    records: list[GameRecord] = []
    cast = Cast(make, {agent.name: agent for agent in agents})
    play(assignments, cast, seed, None, batch_size, records.append)
    return sorted(records, key=GameRecord.key)


def untimed(records: Sequence[GameRecord]) -> list[GameRecord]:
    """Without seconds, the one thing that differs from run to run."""
    return [
        msgspec.structs.replace(
            record,
            seats=tuple(msgspec.structs.replace(seat, seconds=0.0) for seat in record.seats),
        )
        for record in records
    ]


def test_seeds_are_hashed_and_all_differ() -> None:
    seeds = {game_seed(s, i) for s in range(20) for i in range(50)}
    assert len(seeds) == 1000
    assert hashed_seed("a", 1, 23) != hashed_seed("a", 12, 3)
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert max(seeds) > 2**63


def test_game_numbers_differ_by_deal_difficulty_and_seats() -> None:
    games = [
        Assignment(deal, difficulty, agents)
        for deal in (0, 1, 11)
        for difficulty, agents in (
            ("normal", ("a",)),
            ("expert", ("a",)),
            ("", ("a", "b")),
            ("", ("b", "a")),
            ("", ("a", "b", "b")),
        )
    ]
    numbers = [game.game_id() for game in games]
    assert len(set(numbers)) == len(games)
    assert all(0 <= number < 2**63 for number in numbers)


@pytest.mark.parametrize(
    ("difficulty", "agents"),
    [("normal", ("watcher",)), ("expert", ("watcher",)), ("", ("random", "watcher", "mixed"))],
)
def test_a_deal_is_dealt_from_its_seed_whoever_plays(
    difficulty: str, agents: tuple[str, ...]
) -> None:
    agent = Watcher()
    games = [Assignment(deal, difficulty, agents) for deal in range(5)]
    played(games, agent, batch_size=2)
    assert set(agent.tiles) == {game.game_id() for game in games}
    for game in games:
        dealt = Game(len(agents), difficulty=difficulty or "normal", seed=game_seed(7, game.deal))
        assert agent.tiles[game.game_id()] == dealt.record["tile"].ravel().tolist()
    assert set(agent.seeds) == {hashed_seed("agent", 7)}


def test_observations_are_made_for_agents_that_need_them() -> None:
    seeing, blind = Watcher("seeing", needs_observations=True), Watcher("blind")
    played([Assignment(d, "", ("seeing", "blind")) for d in range(3)], seeing, blind)
    assert all(seen is None for seen in blind.observed)
    first = seeing.observed[0]
    assert first is not None
    # The first to choose are the last in turn order: here seat 0 where it is not first.
    games = [Game(2, seed=game_seed(7, deal)) for deal in range(3)]
    own = [game.observation(0) for game in games if game.current_player == 0]
    assert own
    assert first.tolist() == [seen.tolist() for seen in own]


TABLES = [
    Assignment(deal, "", agents)
    for deal in range(3)
    for agents in (
        ("random", "mixed", "mixed"),
        ("mixed", "random", "mixed"),
        ("mixed:3", "random", "random"),
    )
] + [
    Assignment(deal, difficulty, (agent,))
    for deal in range(3)
    for difficulty in ("normal", "expert")
    for agent in ("random", "mixed")
]


@pytest.mark.parametrize("batch_size", [1, 4, 100])
def test_results_depend_on_neither_batch_nor_order(batch_size: int) -> None:
    reference = untimed(played(TABLES))
    assert [record.key() for record in reference] == sorted(game.key() for game in TABLES)
    mixed = [TABLES[i] for i in np.random.default_rng(1).permutation(len(TABLES))]
    assert untimed(played(mixed, batch_size=batch_size)) == reference


def test_greedy_does_not_depend_on_the_batch_against_itself() -> None:
    games = [Assignment(deal, "", ("greedy:beam=2",) * 2) for deal in range(3)]
    assert untimed(played(games, batch_size=1)) == untimed(played(games))


def test_another_seed_gives_other_games() -> None:
    games = [Assignment(deal, "normal", ("random",)) for deal in range(3)]
    assert untimed(played(games, seed=1)) != untimed(played(games, seed=2))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_records_tell_what_happened(players: int) -> None:
    """Every number of a record, against the same game played alone with a log."""
    difficulty = "advanced" if players == 1 else ""
    steps = (7919, 31, 5, 104729)[:players]
    agents = {f"mixed:{step}": Mixed(step=step) for step in steps}
    games = [Assignment(deal, difficulty, tuple(agents)) for deal in range(6)]
    begin = time.perf_counter()
    records = played(games)
    taken = time.perf_counter() - begin
    sold = 0
    for record in records:
        game = Game(players, difficulty=difficulty or "normal", seed=game_seed(7, record.deal))
        order = game.record["turn_order"].tolist()
        decisions = [0] * players
        while not game.done:
            seat = game.current_player
            assert seat is not None
            agent = agents[record.agents[seat]]
            game.step(agent.pick(game.action_mask(), int(game.record.decisions)))
            decisions[seat] += 1
        end, events = game.record, game._events
        assert events is not None
        assert [seat.vp for seat in record.seats] == game.scores()
        ranking = [record.seats[i].place for i in range(len(record.seats))]
        assert sorted(ranking) == list(range(len(record.seats)))
        assert ranking.index(0) == game.winner
        final = end["turn_order"].tolist()
        by_rank = sorted(range(len(ranking)), key=lambda i: (-record.seats[i].vp, final.index(i)))
        assert [ranking[i] for i in by_rank] == list(range(len(ranking)))
        for i, seat in enumerate(record.seats):
            assert order[seat.first_turn] == i
            assert sum(seat.vp_from.values()) == seat.vp
            assert seat.vp_from == {
                name: vp for name, vp in zip(VP_SOURCES, end["vp_from"][i], strict=True) if vp
            }
            if i >= players:
                assert seat.agent == "competition"
                assert (seat.decisions, seat.counts, seat.start_wheel) == (0, {}, "")
                continue
            assert seat.decisions == decisions[i]
            assert 0 < seat.seconds < taken
            start = next(e for e in events if e[0] == EV_START and e[1] == i)
            assert seat.start_wheel == game.box.card_ids[start[2]]
            assert seat.start_resources == game.box.start_resource_ids[start[3]]
            sales = [e[3] for e in events if e[0] == EV_SOLD and e[1] == i]
            sold += len(sales)
            assert seat.counts == {
                "wheels": end["wheel_done"][i].sum(),
                "technology": end["technology"][i],
                "firing_kilns": end["firing_size"][i],
                "workshops": end["workshop_size"][i],
                "glaze_kilns": end["glaze_size"][i],
                "esparto": sum(card >= 0 for card in end["esparto"][i]),
                "cleanup": end["cleanup_size"][i],
                "endgame_cards": end["endgame_played"][i].sum(),
                "sold_plain": sales.count(0),
                "sold_painted": sales.count(1),
            }
    assert EVENTS[EV_SOLD] == "sold"
    assert sold, "these games must have sales to count"


def test_an_agent_that_sits_twice_is_made_twice() -> None:
    made: list[Watcher] = []

    def watch(spec: str) -> Watcher:
        made.append(Watcher(spec))
        return made[-1]

    seats = [("a", "a", "b"), ("b", "a", "a")]
    games = [Assignment(deal, "", agents) for deal in range(2) for agents in seats]
    play(games, Cast(watch), 1)
    assert sorted(agent.name for agent in made) == ["a", "a", "b"]
    for agent in made:
        assert len(agent.players) == 4
        assert all(len(players) == 1 for players in agent.players.values())


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda n: np.full(n, 10**6), "broke the rules in deal 0: action 1000000"),
        (lambda n: np.full(n, -1), "broke the rules in deal 0: action -1"),
        (lambda n: np.full(n, 302), "is not legal for player"),
        (lambda n: np.zeros(n + 1, np.int64), "must return 1 whole numbers"),
        (lambda n: np.zeros(n), "must return 1 whole numbers"),
        (lambda n: [][1], "IndexError: list index out of range"),
    ],
)
def test_a_faulty_agent_is_named(act: object, words: str) -> None:
    agent = Mixed("faulty")
    agent.act = lambda observations, masks, games: act(len(masks))  # type: ignore
    with pytest.raises(AgentFault, match=words) as error:
        played([Assignment(0, "", ("faulty", "random"))], agent)
    assert "'faulty'" in str(error.value)
    assert "\n" not in str(error.value)


def test_games_that_have_ended_are_told_whatever_comes() -> None:
    told: list[GameRecord] = []

    def stop(record: GameRecord) -> None:
        told.append(record)
        if len(told) == 3:
            raise KeyboardInterrupt

    games = [Assignment(deal, "normal", ("random",)) for deal in range(40)]
    with pytest.raises(KeyboardInterrupt):
        play(games, Cast(), 3, batch_size=10, finished=stop)
    assert 3 <= len(told) < 40
    assert len({record.deal for record in told}) == len(told)

    told.clear()
    games = [Assignment(0, "normal", ("random",)), Assignment(1, "normal", ("broken",))]
    with pytest.raises(AgentFault, match=r"'broken' failed at stubs.py:\d+ in deal 1: Zero.* no r"):
        play(games, {"broken": Broken("broken")}, 3, batch_size=1, finished=told.append)
    assert [record.deal for record in told] == [0]


@pytest.mark.parametrize(
    ("difficulty", "agents"),
    [("", ("random",)), ("normal", ("random", "random")), ("", ("random",) * 5), ("", ())],
)
def test_an_assignment_that_fits_no_table(difficulty: str, agents: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="one agent and a difficulty"):
        play([Assignment(0, difficulty, agents)], Cast(), 0)


def test_agents_by_name_are_made_where_none_is_given() -> None:
    records: list[GameRecord] = []
    play([Assignment(0, "", ("random", "mine"))], {"mine": Mixed()}, 0, finished=records.append)
    assert records[0].agents == ("random", "mine")
    assert make_agent("random").name == "random"
