"""Made-up games for the tests of reports: of agents whose strengths are known."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from eval.records import GameRecord, Seat

_SOURCES = ("sales", "wheels", "technology", "endgame_cards")
_COUNTS = (
    "wheels",
    "technology",
    "firing_kilns",
    "workshops",
    "glaze_kilns",
    "esparto",
    "cleanup",
    "endgame_cards",
    "sold_plain",
    "sold_painted",
)


def ranked(
    deal: int,
    agents: Sequence[str],
    vp: Sequence[int],
    difficulty: str = "",
    rng: np.random.Generator | None = None,
) -> GameRecord:
    """A game with these VP by seat; ties go to the lower seat."""
    rng = np.random.default_rng(deal) if rng is None else rng
    order = sorted(range(len(vp)), key=lambda seat: (-vp[seat], seat))
    first = np.arange(len(vp)) if difficulty else rng.permutation(len(vp))
    seats = []
    for seat, points in enumerate(vp):
        common = {"place": order.index(seat), "first_turn": int(first[seat])}
        if difficulty and seat == 1:
            seats.append(
                Seat(agent="competition", vp=points, vp_from={"competition": points}, **common)
            )
            continue
        parts = rng.multinomial(max(points, 0), [0.5, 0.2, 0.2, 0.1]).tolist()
        came = dict(zip(_SOURCES, parts, strict=True)) | {"cracks": min(points, 0)}
        seats.append(
            Seat(
                agent=agents[seat],
                vp=points,
                vp_from={name: part for name, part in came.items() if part},
                start_wheel=f"SW{rng.integers(1, 4)}",
                start_resources=f"SR{rng.integers(1, 4)}",
                decisions=100,
                seconds=0.5,
                counts={name: int(rng.integers(0, 8)) for name in _COUNTS},
                **common,
            )
        )
    return GameRecord(deal=deal, difficulty=difficulty, seats=tuple(seats))


def solo_games(
    means: Mapping[str, float],
    games: int,
    *,
    difficulties: Mapping[str, float] | None = None,
    seed: int = 0,
) -> list[GameRecord]:
    """Solo games of agents with these mean VP; what a deal gives is the same for all."""
    rng = np.random.default_rng(seed)
    rivals = {"normal": 70.0, "expert": 90.0} if difficulties is None else difficulties
    luck = rng.normal(0, 8, (len(rivals), games))
    out = []
    for agent, mean in means.items():
        for level, (difficulty, rival) in enumerate(rivals.items()):
            own = rng.normal(mean, 6, games) + luck[level]
            other = rng.normal(rival, 6, games)
            for deal in range(games):
                vp = (round(own[deal]), round(other[deal]))
                out.append(ranked(deal, (agent,), vp, difficulty, rng))
    return out


def tournament(
    elo: Mapping[str, float], players: int, deals: int, *, seed: int = 0
) -> list[GameRecord]:
    """All choices of agents in all orders of the seats; places as Plackett-Luce draws them."""
    rng = np.random.default_rng(seed)
    out = []
    for agents in itertools.permutations(elo, players):
        strength = np.array([elo[agent] for agent in agents]) * np.log(10) / 400
        # The order of exponential races is Plackett and Luce's; VP follow it.
        races = strength[None, :] + rng.gumbel(size=(deals, players))
        for deal in range(deals):
            vp = (70 + 8 * races[deal]).round().astype(int)
            places = np.argsort(np.argsort(-races[deal]))
            vp = vp - places  # so that equal VP do not undo the order
            out.append(ranked(deal, agents, vp.tolist(), rng=rng))
    return out
