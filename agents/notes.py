"""What an agent considered: kept for whoever asks why (`python -m agents.explain`), for replays."""

from __future__ import annotations

from nijar_env.notes import MOST_CHOICES, Choice, Note, note_lines

__all__ = ["MOST_CHOICES", "Choice", "Note", "note_lines"]
