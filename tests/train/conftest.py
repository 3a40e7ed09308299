"""The tests' networks are tiny: one thread is quickest, also where other programs run."""

from __future__ import annotations

import contextlib

import train  # noqa: F401 (threads that wait sleep; before PyTorch is loaded)

with contextlib.suppress(ImportError):
    import torch

    torch.set_num_threads(1)
