"""Ray, which these tests are skipped without, unless NIJAR_RAY says that it must be there."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest


def need(name: str) -> Any:
    if os.environ.get("NIJAR_RAY") == "needed":
        return importlib.import_module(name)
    return pytest.importorskip(name, reason=f"{name} is not installed: the extras ray and train")
