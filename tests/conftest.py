"""What all tests share: they are run alike in any terminal, and in none."""

from __future__ import annotations

import os

# These make programs take a pipe for a terminal, or give it another width. Before anything reads
# them, and for the processes that tests start too.
for _name in (
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "GITHUB_ACTIONS",
    "LINES",
    "PY_COLORS",
    "TTY_COMPATIBLE",
    "TTY_INTERACTIVE",
):
    os.environ.pop(_name, None)
