"""The box: what is printed on the boards, cards and tiles, as TOML data with its loader."""

from __future__ import annotations

from .box import Box
from .loader import DEFAULT_FOLDER, BoxError, check_box, load_box
from .record import BOX_DTYPE

__all__ = ["BOX_DTYPE", "DEFAULT_FOLDER", "Box", "BoxError", "check_box", "load_box"]
