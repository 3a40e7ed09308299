"""Random legal actions: legal, uniform, reproducible; spaces that sample them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from nijar_env.sampling import LegalDiscrete, LegalMultiDiscrete, sample_action, sample_actions

WIDTH = 303


def masks(rows: int, seed: int = 0, share: float = 0.03) -> Any:
    return (np.random.default_rng(seed).random((rows, WIDTH)) < share).astype(np.int8)


@pytest.mark.parametrize("kind", [np.int8, np.bool_, np.int64])
def test_actions_are_legal(kind: Any) -> None:
    rng = np.random.default_rng(1)
    given = masks(500).astype(kind)
    actions = sample_actions(given, rng)
    assert actions.dtype == np.int64
    some = given.any(1)
    assert given[some, actions[some]].all()
    assert not actions[~some].any()
    for mask in given[some][:50]:
        assert mask[sample_action(mask, rng)]
    assert not sample_actions(np.zeros((3, WIDTH), kind), rng).any()
    with pytest.raises(ValueError, match="no action is legal"):
        sample_action(np.zeros(WIDTH, kind), rng)


def test_rows_need_not_lie_together() -> None:
    given = masks(40)[::2]
    assert not given.flags.c_contiguous
    expected = sample_actions(given.copy(), np.random.default_rng(1))
    assert np.array_equal(sample_actions(given, np.random.default_rng(1)), expected)


def test_both_are_uniform_and_reproducible() -> None:
    mask = masks(1, share=0.02)[0]
    legal = np.flatnonzero(mask)
    draws = 20_000
    many = sample_actions(np.tile(mask, (draws, 1)), np.random.default_rng(5))
    rng = np.random.default_rng(5)
    assert many[:200].tolist() == [sample_action(mask, rng) for _ in range(200)]
    counts = np.bincount(many, minlength=WIDTH)[legal]
    expected = draws / len(legal)
    assert ((counts - expected) ** 2 / expected).sum() < 3 * len(legal)


def test_a_space_of_legal_actions() -> None:
    space = LegalDiscrete(WIDTH, seed=1)
    plain = spaces.Discrete(WIDTH, seed=1)
    assert space == plain
    assert plain == space
    assert repr(space) == repr(plain)
    assert space.sample() == plain.sample()  # nothing is known yet: any action
    mask = masks(1)[0]
    space.legal[:] = mask
    for _ in range(50):
        assert mask[space.sample()]
    only = np.zeros(WIDTH, np.int8)
    assert space.sample(mask=only) == 0
    only[7] = 1
    assert space.sample(mask=only) == 7
    assert isinstance(space.sample(), np.int64)
    assert space.sample(probability=only.astype(np.float64)) == 7
    with pytest.raises(AssertionError):
        space.sample(mask=only[1:])
    space.seed(3)
    for other in (copy.deepcopy(space), pickle.loads(pickle.dumps(space))):
        assert other.legal is not space.legal
        space.seed(3)
        assert [other.sample() for _ in range(9)] == [space.sample() for _ in range(9)]


def test_a_space_of_many_legal_actions() -> None:
    space = LegalMultiDiscrete(6, WIDTH)
    assert space == spaces.MultiDiscrete([WIDTH] * 6)
    assert not space.sample().any()
    space.legal = masks(6, seed=3)
    for _ in range(20):
        actions = space.sample()
        assert actions in space
        assert space.legal[range(6), actions].all()
    assert space.sample(mask=tuple(masks(6, seed=3))) in space
