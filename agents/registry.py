"""Agents by specification string: `name` or `name:key=value,key=value`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any, Final

from .base import Agent


class AgentSpecError(ValueError):
    """A specification string that names no agent, or gives it what it does not take."""


def _random() -> Agent:
    from .random_agent import RandomAgent

    return RandomAgent()


def _greedy(beam: int = 16) -> Agent:
    from .greedy import GreedyAgent

    return GreedyAgent(beam=beam)


# name: (maker, {option: type})
AGENTS: Final[Mapping[str, tuple[Callable[..., Agent], Mapping[str, type]]]] = {
    "random": (_random, {}),
    "greedy": (_greedy, {"beam": int}),
}


def agent_names() -> list[str]:
    """The names that `make_agent` knows."""
    return sorted(AGENTS)


def make_agent(spec: str) -> Agent:
    """A new agent from its specification, such as `random` or `greedy:beam=32`.

    Raises:
        AgentSpecError: the name, an option or a value is not known; the message says what is.
    """
    name, colon, rest = spec.partition(":")
    if name not in AGENTS:
        close = difflib.get_close_matches(name, AGENTS, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise AgentSpecError(
            f"no agent is named '{name}'{hint} (known: {', '.join(agent_names())})"
        )
    maker, known = AGENTS[name]
    options = _options(spec, rest, known) if colon else {}
    try:
        return maker(**options)
    except ValueError as error:
        raise AgentSpecError(f"agent '{spec}': {error}") from None


def _options(spec: str, text: str, known: Mapping[str, type]) -> dict[str, Any]:
    """Parse `key=value,...`."""
    options: dict[str, Any] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or key not in known:
            takes = ", ".join(f"{option}=..." for option in known) or "no options"
            raise AgentSpecError(f"agent '{spec}': cannot read '{part}'; it takes {takes}")
        if key in options:
            raise AgentSpecError(f"agent '{spec}': option '{key}' is given twice")
        try:
            options[key] = known[key](value)
        except ValueError:
            raise AgentSpecError(
                f"agent '{spec}': {key} must be of type {known[key].__name__}, not '{value}'"
            ) from None
    return options
