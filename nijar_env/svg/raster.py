"""SVG to pixels, with the optional extra `pictures` (resvg and Pillow)."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .page import svg_page

if TYPE_CHECKING:
    from ..game import Game


def _tools() -> tuple[Any, Any]:
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ImportError(
            f"pictures in pixels need the extra `pictures` ({error.name} is missing): "
            "pip install 'nijar-env[pictures]'"
        ) from error
    return resvg_py, Image


def check_tools() -> None:
    """Raise ImportError with what to install, unless pictures can be turned into pixels."""
    _tools()


def game_pixels(game: Game, viewer: int) -> npt.NDArray[np.uint8]:
    """A game as `viewer` sees it: uint8 (height, width, 3), see `page.page_size`."""
    return rgb_of(svg_page(game, viewer))


def png_of(svg: str, *, zoom: float = 1.0) -> bytes:
    """A picture as a PNG file, `zoom` times its own size.

    The text is set in a font of the machine: DejaVu Sans, Verdana or Arial.

    Raises:
        ImportError: the extra `pictures` is not installed.
    """
    resvg, _ = _tools()
    return bytes(resvg.svg_to_bytes(svg_string=svg, zoom=zoom, background="#ffffff"))


def rgb_of(svg: str) -> npt.NDArray[np.uint8]:
    """A picture as pixels: uint8 (height, width, 3).

    Raises:
        ImportError: the extra `pictures` is not installed.
    """
    _, image = _tools()
    with image.open(io.BytesIO(png_of(svg))) as picture:
        return np.array(picture.convert("RGB"), np.uint8)
