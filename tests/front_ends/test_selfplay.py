"""Self-play: every seat's decisions, and all that each is paid."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from nijar_env import IllegalActionError
from nijar_env.sampling import sample_actions
from nijar_env.selfplay import Rollout, SelfPlay


class Recorded(SelfPlay):
    """Keeps the results of the games that end, by game."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.results: dict[int, list[tuple[list[int], int]]] = defaultdict(list)
        step = self.batch.step

        def recorded(actions: Any) -> None:
            step(actions)
            for i in np.flatnonzero(self.batch.dones).tolist():
                result = (self.batch.final_scores[i].tolist(), int(self.batch.final_winners[i]))
                self.results[i].append(result)

        self.batch.step = recorded  # type: ignore[method-assign]


def random_policy(seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return lambda observations, masks: sample_actions(masks, rng)


@pytest.mark.parametrize("reward", ["vp", "outcome", "margin"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_seats_return_reaches_it(players: int, reward: str) -> None:
    games = Recorded(8, players, reward=reward, seed=3)
    policy = random_policy()
    returns: dict[tuple[int, int], float] = defaultdict(float)
    episodes: dict[tuple[int, int], list[float]] = defaultdict(list)
    count = 0
    for steps in (37, 37, 5, 200, 1, 90, 37, 150):
        decisions = games.collect(policy, steps).flatten()
        count += len(decisions["rewards"])
        for game, seat, paid, done in zip(
            *(decisions[name].tolist() for name in ("games", "seats", "rewards", "dones")),
            strict=True,
        ):
            returns[game, seat] += paid
            if done:
                episodes[game, seat].append(returns.pop((game, seat)))
    assert sum(map(len, games.results.values())) >= 8
    assert count + (games._open >= 0).sum() == 8 * 557
    for game, results in games.results.items():
        for number, (scores, winner) in enumerate(results):
            paid = [episodes[game, seat][number] for seat in range(players)]
            seats = max(players, 2)
            if reward == "vp":
                expected: list[float] = [float(vp) for vp in scores[:players]]
            elif reward == "outcome":
                loss = -1.0 / (seats - 1)
                expected = [1.0 if seat == winner else loss for seat in range(players)]
                assert players == 1 or sum(paid) == pytest.approx(0.0, abs=1e-6)
            else:
                expected = [
                    (own - max(scores[:seat] + scores[seat + 1 : seats])) / 50
                    for seat, own in enumerate(scores[:players])
                ]
            assert paid == pytest.approx(expected)


def test_a_decision_is_what_its_seat_saw_and_did() -> None:
    games = SelfPlay(6, 3, seed=1)
    told: list[tuple[Any, ...]] = []
    choose = random_policy()

    def policy(observations: Any, masks: Any) -> Any:
        actions = choose(observations, masks)
        told.append((observations.copy(), masks.copy(), actions.copy()))
        return actions, {"value": observations[:, 0] + 1.0}

    rollout = games.collect(policy, 40)
    for number, (observations, masks, actions) in enumerate(told):
        slot = number + 3
        assert np.array_equal(rollout.observations[slot], observations)
        assert np.array_equal(rollout.masks[slot], masks)
        assert np.array_equal(rollout.actions[slot], actions)
        assert (rollout.masks[slot, range(6), actions] == 1).all()
        assert np.array_equal(rollout.extras["value"][slot], observations[:, 0] + 1.0)
    assert set(np.unique(rollout.seats[3:])) == {0, 1, 2}
    flat = rollout.flatten()
    assert {len(array) for array in flat.values()} == {rollout.complete.sum()}
    assert np.array_equal(flat["value"], flat["observations"][:, 0] + 1.0)


def test_open_decisions_are_carried_over() -> None:
    games = SelfPlay(6, 2, seed=1)
    policy = random_policy()
    with_values = lambda seen, masks: (policy(seen, masks), {"value": seen[:, 10:13]})  # noqa: E731
    first = games.collect(with_values, 30)
    ends = {
        (game, seat): np.flatnonzero(first.seats[:, game] == seat)[-1]
        for game in range(6)
        for seat in range(2)
        if games._open[game, seat] >= 0
    }
    assert len(ends) == 12
    kept = {
        (game, seat): (
            first.observations[slot, game].copy(),
            int(first.actions[slot, game]),
            first.extras["value"][slot, game].copy(),
        )
        for (game, seat), slot in ends.items()
    }
    second = games.collect(with_values, 31)
    assert second is not first
    for (game, seat), (seen, action, value) in kept.items():
        assert np.array_equal(second.observations[seat, game], seen)
        assert second.actions[seat, game] == action
        assert second.seats[seat, game] == seat
        assert np.array_equal(second.extras["value"][seat, game], value)
    assert games.collect(with_values, 31) is second


def series_of(rollout: Rollout, game: int, seat: int) -> list[int]:
    return [slot for slot in range(len(rollout.seats)) if rollout.seats[slot, game] == seat]


def test_next_leads_along_a_seats_own_decisions() -> None:
    games = SelfPlay(4, 3, seed=2)
    policy = random_policy()
    for _ in range(6):
        rollout = games.collect(policy, 60)
        for game in range(4):
            for seat in range(3):
                slots = series_of(rollout, game, seat)
                for slot, follow in zip(slots, [*slots[1:], None], strict=True):
                    if rollout.dones[slot, game]:
                        assert rollout.complete[slot, game]
                        assert rollout.next[slot, game] == -1
                    elif follow is None:
                        assert not rollout.complete[slot, game]
                    else:
                        assert rollout.complete[slot, game]
                        assert rollout.next[slot, game] == follow


def test_advantages() -> None:
    """Against the definition, series by series."""
    games = SelfPlay(4, 2, seed=2, reward="vp")
    policy = random_policy()
    rng = np.random.default_rng(0)
    gamma, lam = 0.98, 0.9
    for _ in range(4):
        rollout = games.collect(policy, 70)
        values = rng.random(rollout.rewards.shape, np.float32)
        found = rollout.advantages(values, gamma, lam)
        expected = np.zeros_like(found)
        for game in range(4):
            for seat in range(2):
                for slot in reversed(series_of(rollout, game, seat)):
                    if not rollout.complete[slot, game]:
                        continue
                    error = rollout.rewards[slot, game] - values[slot, game]
                    follow = rollout.next[slot, game]
                    if follow >= 0:
                        error += gamma * (values[follow, game] + lam * expected[follow, game])
                    expected[slot, game] = error
        assert found == pytest.approx(expected, abs=1e-4)
        assert found[~rollout.complete].tolist() == [0.0] * int((~rollout.complete).sum())


def test_an_illegal_action_spoils_nothing() -> None:
    one, other = SelfPlay(4, 2, seed=2), SelfPlay(4, 2, seed=2)
    policy, same_policy = random_policy(), random_policy()
    for games, chooses in ((one, policy), (other, same_policy)):
        games.collect(chooses, 50)
    with pytest.raises(IllegalActionError):
        one.collect(lambda seen, masks: masks.argmin(1), 50)
    first, second = one.collect(policy, 50).flatten(), other.collect(same_policy, 50).flatten()
    for name, array in first.items():
        assert np.array_equal(array, second[name]), name


def test_reset() -> None:
    games = SelfPlay(4, 2, seed=2)
    first = games.collect(random_policy(), 50).flatten()
    games.reset(seed=2)
    again = games.collect(random_policy(), 50).flatten()
    for name, array in first.items():
        assert np.array_equal(array, again[name]), name
    with pytest.raises(ValueError, match="steps"):
        games.collect(random_policy(), 0)
