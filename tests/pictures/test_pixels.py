"""Pictures as pixels: the front ends' `rgb_array`, and what is said without the extra."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import nijar_env
from nijar_env import Game, nijar_v0
from nijar_env.svg.page import page_size

SOLO_ID = "nijar_env/Nijar-Solo-v0"
assert nijar_env.__version__


@pytest.fixture
def tools() -> None:
    for module in ("resvg_py", "PIL"):
        pytest.importorskip(module, reason="the extra `pictures` is not installed")


def frame(picture: Any, players: int) -> None:
    width, height = page_size(players)
    assert isinstance(picture, np.ndarray)
    assert picture.dtype == np.uint8
    assert picture.shape == (height, width, 3)
    assert len(np.unique(picture[:, :, 1])) > 20  # something is drawn


@pytest.mark.usefixtures("tools")
def test_gymnasium_frames() -> None:
    env = gymnasium.make(SOLO_ID, render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    frame(first, 1)
    assert (env.render() == first).all()
    env.step(env.action_space.sample())
    second = env.render()
    frame(second, 1)
    assert (first != second).any()


@pytest.mark.usefixtures("tools")
def test_pettingzoo_frames() -> None:
    env = nijar_v0.env(3, render_mode="rgb_array")
    env.reset(seed=1)
    frame(env.render(), 3)


@pytest.mark.usefixtures("tools")
def test_png_files() -> None:
    from nijar_env.svg.raster import png_of

    png = png_of(Game(2, seed=1).to_svg(), zoom=0.5)
    assert png.startswith(b"\x89PNG")


@pytest.mark.usefixtures("tools")
def test_films(tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="moviepy is not installed")
    env: Any = gymnasium.make(SOLO_ID, render_mode="rgb_array")
    env = gymnasium.wrappers.RecordVideo(
        env, str(tmp_path / "films"), step_trigger=lambda step: step == 0
    )
    env.reset(seed=1)
    for _ in range(3):
        env.step(env.action_space.sample())
    env.close()
    assert list(tmp_path.rglob("*.mp4"))


@pytest.mark.parametrize("module", ["resvg_py", "PIL"])
def test_without_the_extra_it_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    for make in (
        lambda: gymnasium.make(SOLO_ID, render_mode="rgb_array"),
        lambda: nijar_v0.env(render_mode="rgb_array"),
    ):
        with pytest.raises(ImportError, match=r"nijar-env\[pictures\]"):
            make()
    gymnasium.make(SOLO_ID, render_mode="ansi")
    assert Game(2, seed=1).to_svg().startswith("<svg")  # needs nothing
