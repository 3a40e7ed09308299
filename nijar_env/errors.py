"""Errors of the library. Each says what is wrong and what to do; the game stays as it was."""

from __future__ import annotations


class NijarError(Exception):
    """Base of all errors raised by nijar_env."""


class IllegalActionError(NijarError, ValueError):
    """An action that is not legal now; the message lists what is."""


class SceneError(NijarError, ValueError):
    """A scene (`Game.from_dict`) that is broken or impossible; the message names the field."""


class EngineFault(NijarError, RuntimeError):
    """An internal bound of the engine was broken: a bug, never a state to go on from."""
