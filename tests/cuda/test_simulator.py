"""The functions launched on a GPU play the CPU's games, in the simulator of CUDA."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

import pytest

from . import running


@cache
def has_simulator() -> bool:
    return running.python("-c", "import numba.cuda", simulator=True).returncode == 0


@pytest.fixture(autouse=True)
def simulator() -> None:
    if not has_simulator():
        running.skip("this Numba has no numba.cuda, and numba-cuda is not installed")


def test_whole_games_are_the_same_bytes() -> None:
    told = running.simulated("-m", "nijar_env.cuda.compare")
    running.check_all_kinds(told, "the simulator")


ENDS = """
import numpy as np
from nijar_env.cuda import CudaBatch
for options in ({"num_players": 1}, {"num_players": 2}, {"num_players": 4}):
    batch = CudaBatch(1, seed=3, auto_reset=False, reward="outcome", **options)
    steps = 0
    while not batch.dones.copy_to_host()[0]:
        batch.step(batch.random_actions(7, steps))
        steps += 1
    print(steps, batch.final_lengths.copy_to_host()[0], batch.final_winners.copy_to_host()[0],
          batch.rewards.copy_to_host().argmax(), batch.current_players.copy_to_host()[0],
          batch.game(0).done)
"""


def test_a_game_ends() -> None:
    for line in running.simulated("-c", ENDS).splitlines():
        steps, length, winner, best, player, done = line.split()
        assert int(steps) == int(length) > 50
        assert winner == best
        assert (player, done) == ("-1", "True")


FOUND = """
from nijar_env.batch import GameBatch
from nijar_env.cuda import compare
from nijar_env.cuda.batch import CudaBatch
cpu, gpu = GameBatch(3, seed=1), CudaBatch(3, seed=1)
assert compare.different_record(cpu, gpu) is None
assert compare.different_buffer(cpu, gpu, compare.BUFFERS) is None
cpu.games["vp"][1, 0] += 1
print(compare.different_record(cpu, gpu))
cpu.rewards[2, 1] = 1
print(compare.different_buffer(cpu, gpu, compare.BUFFERS))
"""


def test_a_difference_is_found_and_named() -> None:
    record, buffer = running.simulated("-c", FOUND).splitlines()[:2]
    assert record.startswith("game 1, vp: ")
    assert buffer.startswith("rewards: ")


ILLEGAL = """
import numpy as np
from nijar_env.batch import GameBatch
from nijar_env.cuda import CudaBatch
cpu, gpu = GameBatch(3, seed=1), CudaBatch(3, seed=1)
before = gpu.records().tobytes()
actions = np.array([game["legal"].argmax() for game in cpu.games])
for wrong in (int(cpu.games["legal"][1].argmin()), -1, 10_000):
    actions[1:] = wrong
    errors = []
    for batch in (cpu, gpu):
        try:
            batch.step(actions)
        except ValueError as error:
            errors.append(f"{type(error).__name__} {error}")
    print(len(errors), errors[0] == errors[1], errors[1][:40], gpu.records().tobytes() == before)
for bad in (np.zeros(2, np.int64), np.zeros(3)):
    try:
        gpu.step(bad)
    except ValueError as error:
        print(error)
"""


def test_an_illegal_action_is_named_and_changes_nothing() -> None:
    *illegal, shape, kind = running.simulated("-c", ILLEGAL).splitlines()
    for line in illegal:
        assert line.startswith("2 True IllegalActionError game 1: ")
        assert line.endswith(" True")
    assert shape.startswith("actions must be 3 whole numbers, one a game; got int64 of shape (2,)")
    assert kind.startswith("actions must be 3 whole numbers, one a game; got float64")


LINKED = """
import types
from nijar_env.cuda import build, kernels
from nijar_env.core import kernels as core
for function in kernels.LAUNCHED:
    build.relinked(function)
seen = {source.__module__ + "." + source.__qualname__ for source in build._built}
for source, copy in build._built.items():
    assert copy.__code__ is source.__code__
    for name in copy.__code__.co_names:
        value = copy.__globals__.get(name)
        assert not hasattr(value, "py_func"), (source, name)
print(len(seen), "nijar_env.core.scoring.winner" in seen, "nijar_env.core.rng.philox" in seen)
"""


def test_device_functions_are_the_core_s_own_code() -> None:
    count, *found = running.simulated("-c", LINKED).split()
    assert int(count) > 200
    assert found == ["True", "True"]


LAYOUT = """
from nijar_env.core.record import GAME_DTYPE
from nijar_env.components.record import BOX_DTYPE
from nijar_env.cuda.build import DEVICE_BOX, DEVICE_GAME
for packed, device in ((GAME_DTYPE, DEVICE_GAME), (BOX_DTYPE, DEVICE_BOX)):
    assert device.names == packed.names and device.isalignedstruct
    for name in packed.names:
        assert device[name] == packed[name], name
        size = device[name].base.itemsize
        assert device.fields[name][1] % size == 0 == device.itemsize % size, name
"""


def test_device_records_are_aligned() -> None:
    running.simulated("-c", LAYOUT)


def test_without_a_gpu_one_line_says_so() -> None:
    done = running.python("-m", "nijar_env.cuda.speed", simulator=False)
    if done.returncode == 0:
        pytest.skip("there is a GPU")
    assert done.returncode == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert "NUMBA_ENABLE_CUDASIM=1" in last
    assert "Traceback" not in done.stderr
    if find_spec("numba_cuda") is None:
        assert "pip install 'nijar-env[cuda]'" in last
    else:
        assert "no CUDA GPU" in last


def test_the_simulator_s_speed_is_not_measured() -> None:
    done = running.python("-m", "nijar_env.cuda.speed", simulator=True)
    assert done.returncode == 2
    assert "no speed to measure" in done.stderr


MEASURED = """
from nijar_env.cuda import speed
for part in speed.PARTS:
    print(part, speed.batch_rate(2, part, 0.01) > 0)
"""


def test_what_the_measurement_runs() -> None:
    told = running.simulated("-c", MEASURED).split()
    assert told == ["rules", "True", "masks", "True", "observations", "True"]
