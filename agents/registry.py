"""Agents by specification string.

`name` or `name:option=value,option=value` for the agents of this package; `ppo:PATH` or
`ppo:PATH:option=value` for a network's weights; and `package.module:Class` or
`package.module:Class:option=value,...` for any other.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from .base import Agent


class AgentSpecError(ValueError):
    """A specification string that names no agent, or gives it what it does not take."""


def _random() -> Agent:
    from .random_agent import RandomAgent

    return RandomAgent()


def _light(**options: Any) -> Agent:
    from .light import LightAgent

    return LightAgent(**options)


def _greedy(**options: Any) -> Agent:
    from .greedy import GreedyAgent

    return GreedyAgent(**options)


def _expert(**options: Any) -> Agent:
    from .expert import ExpertAgent

    return ExpertAgent(**options)


def _mcts(**options: Any) -> Agent:
    from .mcts import MctsAgent

    return MctsAgent(**options)


def _ppo(path: Path | None = None, **options: Any) -> Agent:
    from .neural import NeuralAgent

    return NeuralAgent(path, **options)


def _search(path: Path | None = None, **options: Any) -> Agent:
    from .search import SearchAgent

    return SearchAgent(path, **options)


# name: (maker, {option: type})
AGENTS: Final[Mapping[str, tuple[Callable[..., Agent], Mapping[str, type]]]] = {
    "random": (_random, {}),
    "light": (_light, {"draw": bool}),
    "greedy": (_greedy, {"beam": int}),
    "expert": (_expert, {"plans": int, "futures": int, "turns": int, "beam": int}),
    "mcts": (
        _mcts,
        {
            "iterations": int,
            "seconds": float,
            "turns": int,
            "playout": str,
            "bias": float,
            "exploration": float,
        },
    ),
    "ppo": (_ppo, {"draw": bool}),
    "search": (
        _search,
        {
            "iterations": int,
            "seconds": float,
            "turns": int,
            "bias": float,
            "exploration": float,
        },
    ),
}
# Those whose name may be followed by a path, as their maker's `path`.
WITH_PATH: Final = ("ppo", "search")
_TRUTH: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def agent_names() -> list[str]:
    """The names that `make_agent` knows, the simplest agent first."""
    return list(AGENTS)


def make_agent(spec: str) -> Agent:
    """A new agent from its specification, such as `random`, `mcts:iterations=400` or
    `my_package.players:Clever`.

    A class of one's own is imported and called with the options as keyword arguments: numbers, true
    and false where they read as such, else text.

    Raises:
        AgentSpecError: the name, an option or a value is not known; the message says what is.
    """
    name, colon, rest = spec.partition(":")
    if name in WITH_PATH:
        return _of_path(spec, name, rest)
    if "." in name:
        return _imported(spec, name, rest)
    if name not in AGENTS:
        close = difflib.get_close_matches(name, AGENTS, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise AgentSpecError(
            f"no agent is named '{name}'{hint} (known: {', '.join(agent_names())}; "
            "or package.module:Class)"
        )
    maker, known = AGENTS[name]
    options = _options(spec, rest, known) if colon else {}
    try:
        return maker(**options)
    except ValueError as error:
        raise AgentSpecError(f"agent '{spec}': {error}") from None


def _of_path(spec: str, name: str, rest: str) -> Agent:
    """An agent of a file or folder; its options stand last, behind another colon."""
    maker, known = AGENTS[name]
    path, colon, text = rest.rpartition(":")
    if text.partition("=")[0] not in known:
        path, text = rest, ""
        if "=" in rest and not Path(rest).exists():  # rather a wrong option than a path
            _, _, given = rest.rpartition(":")
            _options(spec, given, known)
    if colon and not path:
        raise AgentSpecError(f"agent '{spec}': give a path between the colons, or leave one out")
    options = _options(spec, text, known) if text else {}
    try:
        return maker(**({"path": Path(path)} if path else {}), **options)
    except ValueError as error:
        raise AgentSpecError(f"agent '{spec}': {error}") from None


def _pairs(spec: str, text: str, takes: str) -> dict[str, str]:
    """Parse `key=value,...`."""
    pairs: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals:
            raise AgentSpecError(f"agent '{spec}': cannot read '{part}'; it takes {takes}")
        if key in pairs:
            raise AgentSpecError(f"agent '{spec}': option '{key}' is given twice")
        pairs[key] = value
    return pairs


def _options(spec: str, text: str, known: Mapping[str, type]) -> dict[str, Any]:
    """The options of an agent of this package."""
    takes = ", ".join(f"{option}=..." for option in known) or "no options"
    options: dict[str, Any] = {}
    for key, value in _pairs(spec, text, takes).items():
        if key not in known:
            raise AgentSpecError(f"agent '{spec}': cannot read '{key}={value}'; it takes {takes}")
        try:
            options[key] = _TRUTH[value.lower()] if known[key] is bool else known[key](value)
        except (KeyError, ValueError):
            kind = {int: "a whole number", float: "a number", bool: "true or false"}[known[key]]
            raise AgentSpecError(f"agent '{spec}': {key} must be {kind}, not '{value}'") from None
    return options


def _imported(spec: str, module: str, rest: str) -> Agent:
    """An agent of a class anywhere."""
    class_name, colon, text = rest.partition(":")
    if not all(part.isidentifier() for part in module.split(".")):
        raise AgentSpecError(
            f"agent '{spec}': '{module}' is no module (write package.module:Class)"
        )
    try:
        loaded = importlib.import_module(module)
    except Exception as error:  # whatever is wrong with somebody's module
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise AgentSpecError(f"agent '{spec}': cannot import {module}: {what}") from error
    made = getattr(loaded, class_name, None)
    if not inspect.isclass(made):
        raise AgentSpecError(
            f"agent '{spec}': {module} has no class '{class_name}' (write package.module:Class)"
        )
    # Before anything is called: a specification may come with a saved game of somebody else.
    _check_members(spec, made, ("act", "reset"))
    options: dict[str, Any] = {}
    if colon:
        options = {k: _plain(v) for k, v in _pairs(spec, text, "option=value,...").items()}
    try:
        agent: Any = made(**options)
    except (TypeError, ValueError) as error:
        raise AgentSpecError(f"agent '{spec}': {error}") from None
    _check_members(spec, agent, ("needs_observations",))
    agent.name = spec  # the string that makes it again
    return cast(Agent, agent)


def _check_members(spec: str, made: Any, members: tuple[str, ...]) -> None:
    """Whether a class or an object has what an agent has."""
    for member in members:
        if not hasattr(made, member):
            name = made.__name__ if inspect.isclass(made) else type(made).__name__
            raise AgentSpecError(
                f"agent '{spec}': {name} is no agent, it has no '{member}' (see agents.base.Agent)"
            )


def _plain(text: str) -> Any:
    """A value as it reads: a whole number, a number, true or false, else text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False}.get(text.lower(), text)
