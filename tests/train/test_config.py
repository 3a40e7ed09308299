"""Configurations: what is read, and the one line that says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pydantic", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")

from train.config import ConfigError, as_plain, as_yaml, load_config
from train.ppo_config import PpoConfig

ROOT = Path(__file__).resolve().parents[2]


def written(folder: Path, text: str) -> Path:
    path = folder / "some.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def fault(folder: Path, text: str, *changes: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(written(folder, text), PpoConfig, changes)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(folder / "some.yaml"), "some.yaml")


def test_a_file_is_read_and_the_rest_has_defaults(tmp_path: Path) -> None:
    text = "name: first\nppo: {epochs: 2, learning_rate: 3e-4}\nnetwork: {kind: mlp, hidden: [8]}\n"
    config = load_config(written(tmp_path, text), PpoConfig)
    assert config.ppo.epochs == 2
    assert config.ppo.learning_rate == 3e-4
    assert config.ppo.clip == 0.2
    assert config.network.options == {"hidden": [8]}


@pytest.mark.parametrize("name", ["quickstart", "solo_ppo"])
def test_published_configurations_are_read(name: str) -> None:
    config = load_config(ROOT / "configs" / f"{name}.yaml", PpoConfig)
    assert config.name.replace("-", "_") == name


def test_a_written_configuration_gives_itself_again(tmp_path: Path) -> None:
    text = (
        "name: first\nseed: 7\nbenchmark: null\nppo: {target_kl: 0.02}\nnetwork: {hidden: [8, 8]}\n"
    )
    config = load_config(written(tmp_path, text), PpoConfig)
    again = load_config(written(tmp_path, as_yaml(config)), PpoConfig)
    assert as_plain(again) == as_plain(config)


def test_changes_of_the_command_line_count_more(tmp_path: Path) -> None:
    path = written(tmp_path, "name: first\nseed: 1\n")
    config = load_config(path, PpoConfig, ["seed=5", "ppo.epochs=9", "network.hidden=[4]"])
    assert (config.seed, config.ppo.epochs, config.network.options) == (5, 9, {"hidden": [4]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "name: a\nppo: {lerning_rate: 1}",
            "some.yaml: unknown key 'ppo.lerning_rate'; did you mean 'learning_rate'? known are: "
            "steps, minibatch, ",
        ),
        (
            "name: a\ntotal_step: 1",
            "some.yaml: unknown key 'total_step'; did you mean 'total_steps'?",
        ),
        ("name: a\nzzz: 1", "some.yaml: unknown key 'zzz'; known are: name, seed, "),
        ("name: a\nbenchmark: {game: 1}", "unknown key 'benchmark.game'; did you mean 'games'?"),
        ("seed: 1", "some.yaml: key 'name' is missing; add it"),
        ("name: a\nppo: {epochs: 0}", "ppo.epochs must be greater than or equal to 1, not 0"),
        ("name: a\nppo: {epochs: 1.5}", "ppo.epochs must be a valid integer"),
        ("name: a\nppo: {epochs: yes}", "ppo.epochs must be a number, not True"),
        ("name: a\nppo: {learning_rate: fast}", "ppo.learning_rate must be a valid number"),
        ("name: a\nppo: {learning_rate: .inf}", "ppo.learning_rate must be a finite number"),
        ("name: a\nppo: 3", "ppo must be a valid dictionary"),
        ("name: a\ndifficulty: hard", "difficulty must be 'normal', 'advanced' or 'expert'"),
        ("name: a/b", "name must match pattern"),
        ("name: a\nseed: -1", "seed must be greater than or equal to 0, not -1"),
        ("name: a\nreward: {scheme: margin, rival: 1}", "rival is for scheme vp"),
        ("name: a\ngames: 100", "ppo.minibatch (2048) must divide games x ppo.steps (6400)"),
        ("name: a\nname: b", "some.yaml, line 2: is not valid YAML: name twice"),
        ("name: [a", "some.yaml, line 1: is not valid YAML: "),
        (
            "name: !!python/object:os.system a",
            "is not valid YAML: could not determine a constructor",
        ),
        ("- a", "some.yaml: must hold keys and values"),
        ("", "some.yaml: must hold keys and values"),
        ("name: a\nseed: -1\ngames: 0", "(and 1 more)"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    assert message in fault(tmp_path, text)


def test_a_change_that_cannot_be_read(tmp_path: Path) -> None:
    assert "--set seed: must be KEY=VALUE" in fault(tmp_path, "name: a", "seed")
    assert "--set seed.x=1: 'seed' is no section but 1" in fault(
        tmp_path, "name: a\nseed: 1", "seed.x=1"
    )
    assert "unknown key 'sed'; did you mean 'seed'?" in fault(tmp_path, "name: a", "sed=1")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nothing\.yaml: cannot be read: No such file"):
        load_config(tmp_path / "nothing.yaml", PpoConfig)
