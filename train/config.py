"""Configurations: YAML files, read into checked, unchangeable objects.

A training program declares its configuration as a `Section` of sections and reads it with
`load_config`. Whatever is wrong is one `ConfigError` of one line, which names the file, the key,
the value and what would be right.
"""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from agents import make_agent
from nijar_env.options import MAX_SEED


class ConfigError(ValueError):
    """A configuration that cannot be used. One line, with a remedy."""


class Section(BaseModel):
    """A part of a configuration, or a whole one: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


def _no_truth(value: Any) -> Any:
    """Refuse `true` and `yes` where a number is wanted; YAML reads them as truth values."""
    if isinstance(value, bool):
        raise ValueError("must be a number")
    return value


def _known_agent(spec: str) -> str:
    """Refuse what names no agent before anything is trained."""
    make_agent(spec)  # AgentSpecError is a ValueError that says what is wrong
    return spec


AgentSpec = Annotated[str, AfterValidator(_known_agent)]
Count = Annotated[int, BeforeValidator(_no_truth), Field(ge=1)]
CountFromZero = Annotated[int, BeforeValidator(_no_truth), Field(ge=0)]
Seed = Annotated[int, BeforeValidator(_no_truth), Field(ge=0, le=MAX_SEED)]
Positive = Annotated[float, BeforeValidator(_no_truth), Field(gt=0, allow_inf_nan=False)]
FromZero = Annotated[float, BeforeValidator(_no_truth), Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, BeforeValidator(_no_truth), Field(ge=0, le=1)]
# As many as a benchmark may have workers; PyTorch itself gives up at some thousands.
MOST_THREADS: Final = 256
Difficulty = Literal["normal", "advanced", "expert"]
RewardScheme = Literal["outcome", "margin", "vp"]


class NetworkSection(BaseModel):
    """Which network: its kind, and beside it the options of that kind (see `train.networks`)."""

    model_config = ConfigDict(extra="allow", frozen=True)

    kind: str = "mlp"

    @property
    def options(self) -> dict[str, Any]:
        """All keys but `kind`."""
        return dict(self.model_extra or {})


class RunSection(Section):
    """What every training run has, at the top level of its file: inherit from this.

    Attributes:
        name: of the run; its folder is `runs/NAME` unless the command says otherwise.
        seed: of everything.
        components: a box folder; None for the default box.
        device: "auto" takes a GPU where there is one; or "cpu", "cuda", "cuda:1", "mps".
        threads: of PyTorch on the CPU; a benchmark at the end plays in as many processes.
        checkpoint_minutes: what is lost at most when the process is killed; 0: after every
            iteration.
        start_from: a weights file to begin with, instead of random weights.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    seed: Seed = 0
    components: Path | None = None
    device: Annotated[str, Field(pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")] = "auto"
    threads: Annotated[Count, Field(le=MOST_THREADS)] = 1
    checkpoint_minutes: FromZero = 2.0
    start_from: Path | None = None
    network: NetworkSection = NetworkSection()


C = TypeVar("C", bound=BaseModel)


class _Loader(yaml.SafeLoader):  # type: ignore[misc] # untyped where not installed
    """Plain data only, and no key twice."""


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    keys: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if isinstance(key, (dict, list)) or key in keys:
            what = "a list or mapping as a key" if isinstance(key, (dict, list)) else f"{key} twice"
            raise yaml.MarkedYAMLError(problem=what, problem_mark=key_node.start_mark)
        keys.add(key)
    return dict(loader.construct_mapping(node, deep=True))


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def load_config(path: Path, model: type[C], changes: Sequence[str] = ()) -> C:
    """Read a configuration.

    Args:
        path: the YAML file.
        model: the whole configuration.
        changes: of the command line, as `key=value` or `section.key=value`, over the file's.

    Raises:
        ConfigError: one line.
    """
    try:
        data = _read_yaml(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is no text in UTF-8") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: must hold keys and values, such as 'name: first'")
    for change in changes:
        _apply(data, change)
    return check_config(data, model, str(path))


def check_config(data: Mapping[str, Any], model: type[C], source: str) -> C:
    """Plain data as a configuration; `source` names where it is from.

    Raises:
        ConfigError: one line, about the first thing that is wrong.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False)
        # An unknown key first: a misspelt one is also a missing one.
        faults.sort(key=lambda fault: fault["type"] != "extra_forbidden")
        more = "" if len(faults) == 1 else f" (and {len(faults) - 1} more)"
        raise ConfigError(f"{source}: {_fault(faults[0], model)}{more}") from None


def as_plain(config: BaseModel) -> dict[str, Any]:
    """A configuration as plain data, complete, for files."""
    return config.model_dump(mode="json")


def as_yaml(config: BaseModel) -> str:
    """A configuration as the text of a file that gives it again."""
    return str(yaml.safe_dump(as_plain(config), sort_keys=False, allow_unicode=True))


def _read_yaml(text: str, source: str) -> Any:
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f", line {mark.line + 1}" if mark else ""
        what = " ".join(f"{error.context or ''} {error.problem or ''}".split())
        raise ConfigError(f"{source}{where}: is not valid YAML: {what}") from None
    except yaml.YAMLError as error:
        what = " ".join(str(error).split())
        raise ConfigError(f"{source}: is not valid YAML: {what}") from None


def _apply(data: dict[str, Any], change: str) -> None:
    """Put `section.key=value` into the data."""
    source = f"--set {change}"
    name, equals, text = change.partition("=")
    keys = name.strip().split(".")
    if not equals or not all(keys):
        raise ConfigError(f"{source}: must be KEY=VALUE or SECTION.KEY=VALUE")
    place = data
    for key in keys[:-1]:
        below = place.setdefault(key, {})
        if not isinstance(below, dict):
            raise ConfigError(f"{source}: '{key}' is no section but {below!r}")
        place = below
    place[keys[-1]] = _read_yaml(text, source)


def _sections(annotation: Any) -> list[type[BaseModel]]:
    """The sections that an annotation allows."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType, Annotated):
        return [one for part in typing.get_args(annotation) for one in _sections(part)]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return []


def _known_keys(model: type[BaseModel], place: Sequence[str | int]) -> list[str]:
    """The keys of the section at a place; none where it is no section."""
    sections = [model]
    for key in place:
        fields = [section.model_fields.get(str(key)) for section in sections]
        sections = [one for field in fields if field for one in _sections(field.annotation)]
    return [key for section in sections for key in section.model_fields]


def _fault(fault: Any, model: type[BaseModel]) -> str:
    """What is wrong, in words."""
    place = list(fault["loc"])
    key = ".".join(str(part) for part in place)
    if fault["type"] == "extra_forbidden":
        known = _known_keys(model, place[:-1])
        close = difflib.get_close_matches(str(place[-1]), known, n=1)
        hint = f"did you mean '{close[0]}'? " if close else ""
        return f"unknown key '{key}'; {hint}known are: {', '.join(known)}"
    if fault["type"] == "missing":
        return f"key '{key}' is missing; add it"
    text = str(fault["msg"]).removeprefix("Value error, ")
    for words in ("Input should be", "String should", "List should"):
        if text.startswith(words):
            text = "must " + ("be" + text[len(words) :] if words[0] == "I" else text[len(words) :])
    text = " ".join(text.split())
    if not key:
        return text
    if not text.startswith("must"):
        return f"{key}: {text}"
    return f"{key} {text}, not {fault['input']!r}"
