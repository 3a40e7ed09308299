"""The folder of a run: begun, gone on with, finished, refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("pydantic", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")
pytest.importorskip("safetensors", reason="the extra `train` is not installed")

import nijar_env  # noqa: E402
from nijar_env import load_box  # noqa: E402
from nijar_env.core.layout import layout_hash  # noqa: E402
from train.config import RunSection, load_config  # noqa: E402
from train.run import Run, RunFinished, read_progress  # noqa: E402
from train.run_provenance import RunError  # noqa: E402
from train.state import write_state  # noqa: E402

BOX = load_box(None)
COLUMNS = ("loss", "score")


def opened(folder: Path, **changes: Any) -> Run:
    given = {"name": "some", "seed": 3, **changes.pop("config", {})}
    options: dict[str, Any] = {"kind": "test", "num_players": 1, "checkpoint_minutes": 0.0}
    options["columns"] = COLUMNS
    return Run(
        folder,
        RunSection(**given),
        box=BOX,
        command="python -m some",
        **{**options, **changes},
    )


def test_what_a_run_is_stands_in_its_folder(tmp_path: Path) -> None:
    with opened(tmp_path / "a" / "b") as run:
        assert run.state is None
    data = json.loads((tmp_path / "a" / "b" / "provenance.json").read_text())
    assert data["version"] == nijar_env.__version__
    assert data["box"]["fingerprint"] == BOX.fingerprint
    assert data["layout"] == layout_hash(1)
    assert data["seed"] == 3 and data["config"]["seed"] == 3
    assert data["command"] == "python -m some"
    assert data["packages"]["torch"] == torch.__version__.partition("+")[0] or data["packages"]
    assert data["machine"]["python"]
    again = load_config(tmp_path / "a" / "b" / "config.yaml", RunSection)
    assert again == RunSection(name="some", seed=3)


def test_it_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    with opened(tmp_path) as run:
        run.begin()
        run.log(10, {"loss": 0.1})
        assert run.checkpoint(lambda: {"at": 10, "weights": torch.ones(2)})
        expected = random.random()
        run.log(20, {"loss": 0.2, "score": 5})
    for _ in range(2):
        with opened(tmp_path) as run:
            assert run.state is not None and run.state["at"] == 10
            assert run.state["weights"].tolist() == [1, 1]
            random.seed(99)
            run.begin()
            assert random.random() == expected
            assert run.rows() == [{"step": 10, "loss": 0.1}]
            run.log(20, {"loss": 0.25, "score": 6})
            assert run.rows()[1:] == [{"step": 20, "loss": 0.25, "score": 6}]
    assert (tmp_path / "progress.csv").read_text() == "step,loss,score\n10,0.1,\n20,0.25,6\n"
    assert len(read_progress(tmp_path / "progress.csv")) == 2


def test_without_a_checkpoint_it_begins_again(tmp_path: Path) -> None:
    with opened(tmp_path, checkpoint_minutes=60.0) as run:
        run.begin()
        run.log(10, {"loss": 0.1})
        assert not run.checkpoint(lambda: {"at": 10})
    with opened(tmp_path) as run:
        assert run.state is None and run.rows() == []


def test_seconds_are_those_of_all_processes(tmp_path: Path) -> None:
    with opened(tmp_path) as run:
        run.begin()
        run.seconds = 100.0
        run.checkpoint(dict)
    with opened(tmp_path) as run:
        run.begin()
        assert 100.0 <= run.elapsed() < 160.0


def test_tensorboard_shows_each_step_once(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="the extra `train` is not installed")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    with opened(tmp_path) as run:
        run.log(10, {"loss": 0.125})
        run.checkpoint(dict)
        run.log(20, {"loss": 99.0})
    with opened(tmp_path) as run:
        run.log(20, {"loss": 0.25})
        run.log(30, {"loss": 0.5})
    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    assert [(e.step, e.value) for e in events.Scalars("loss")] == [
        (10, 0.125),
        (20, 0.25),
        (30, 0.5),
    ]


def test_a_finished_run_says_so(tmp_path: Path) -> None:
    with opened(tmp_path) as run:
        run.finish({"steps": 10})
    with pytest.raises(RunFinished, match="is finished: nothing to do; give another --out"):
        opened(tmp_path)
    assert json.loads((tmp_path / "finished.json").read_text()) == {"steps": 10}


def test_keys_that_were_not_there_yet_have_their_defaults(tmp_path: Path) -> None:
    opened(tmp_path, config={"threads": 2}).close()
    path = tmp_path / "provenance.json"
    data = json.loads(path.read_text())
    del data["config"]["start_from"], data["config"]["network"]
    path.write_text(json.dumps(data))
    opened(tmp_path, config={"threads": 2}).close()
    del data["config"]["threads"]  # whose default is another
    path.write_text(json.dumps(data))
    with pytest.raises(RunError, match="holds another run: threads is 1 there, 2 here"):
        opened(tmp_path, config={"threads": 2})


def test_another_run_is_refused(tmp_path: Path) -> None:
    opened(tmp_path).close()
    with pytest.raises(RunError, match="holds another run: seed is 3 there, 4 here"):
        opened(tmp_path, config={"seed": 4})
    with pytest.raises(RunError, match="num_players is 1 there, 2 here; layout is"):
        opened(tmp_path, num_players=2)
    with pytest.raises(RunError, match=r"network\.hidden is None there, \[3\] here"):
        opened(tmp_path, config={"network": {"hidden": [3]}})


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(RunError, match=r"already holds thesis\.txt, and no run"):
        opened(tmp_path)


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(RunError, match="is in use by another process"):
        opened(tmp_path)
    opened(tmp_path).close()


def test_a_broken_checkpoint_is_refused(tmp_path: Path) -> None:
    opened(tmp_path).close()
    (tmp_path / "checkpoint.safetensors").write_bytes(b"torn")
    with pytest.raises(RunError, match="is no checkpoint of this version"):
        opened(tmp_path)


def test_a_checkpoint_of_another_version_is_refused(tmp_path: Path) -> None:
    opened(tmp_path).close()
    write_state(tmp_path / "checkpoint.safetensors", {"state": {}})
    with pytest.raises(RunError, match="is of another version, without 'random'"):
        opened(tmp_path)


@pytest.mark.parametrize("name", ["config", "box"])
def test_damaged_provenance_is_refused(name: str, tmp_path: Path) -> None:
    opened(tmp_path).close()
    path = tmp_path / "provenance.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), name: None}))
    with pytest.raises(RunError, match=r"provenance\.json is damaged; give another folder"):
        opened(tmp_path)


def test_a_damaged_log_is_refused(tmp_path: Path) -> None:
    """What a power cut may have left of it, say."""
    with opened(tmp_path) as run:
        for step in (10, 20):
            run.log(step, {"loss": 0.125})
        run.checkpoint(dict)
    path = tmp_path / "progress.csv"
    whole = path.read_bytes()
    for damaged in (b"", whole[:-8], whole.replace(b"20,", b"2x,"), b"x" * 500):
        path.write_bytes(damaged)
        with pytest.raises(RunError, match=r"progress\.csv is damaged .*; delete it to go on"):
            opened(tmp_path)
        assert path.read_bytes() == damaged
    path.unlink()
    with opened(tmp_path) as run:
        assert run.state == {} and run.rows() == []


def test_columns_beyond_ascii(tmp_path: Path) -> None:
    columns = ("ladder/ppo:Níjar/margin", "loss")
    with opened(tmp_path, columns=columns) as run:
        run.log(10, {columns[0]: 1.5})
        run.checkpoint(dict)
    with opened(tmp_path, columns=columns) as run:
        assert run.rows() == [{"step": 10, columns[0]: 1.5}]


def test_a_run_that_cannot_begin_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    for _ in range(2):
        run = opened(folder)
        (folder / "games").mkdir()
        run.undo()
        assert not folder.exists()
    folder.mkdir()
    (folder / ".mine").touch()
    opened(folder).undo()
    assert {path.name for path in folder.iterdir()} <= {".mine", ".lock"}
    assert (folder / ".mine").exists()
    opened(folder).close()  # what is gone on with stays
    opened(folder).undo()
    assert (folder / "provenance.json").exists()


def test_a_column_that_was_not_declared(tmp_path: Path) -> None:
    with opened(tmp_path) as run, pytest.raises(KeyError, match="no column 'lost'"):
        run.log(1, {"lost": 1.0})
