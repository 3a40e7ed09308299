"""The documentation site: it builds without a warning, and its pages hold together by themselves.

Needs the extra `docs`. With NIJAR_REQUIRE_DOCS=1 in the environment its absence is a failure.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import nijar_env

ROOT = Path(__file__).resolve().parents[2]
LOADS = {"img": "src", "script": "src", "iframe": "src", "source": "src", "link": "href"}
TOOLS = ("mkdocs", "material", "mkdocstrings")


class Page(HTMLParser):
    """The links of a page, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {value for key, value in attrs if key in ("id", "name") and value}
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if tag in LOADS and given.get(LOADS[tag]) and given.get("rel") not in ("canonical",):
            self.loads.append(str(given[LOADS[tag]]))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    missing = [name for name in TOOLS if importlib.util.find_spec(name) is None]
    if missing:
        reason = f"the extra `docs` is not installed ({', '.join(missing)} is missing)"
        if os.environ.get("NIJAR_REQUIRE_DOCS"):
            pytest.fail(reason)
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "WARNING" not in done.stderr, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}


def is_outside(link: str) -> bool:
    parts = urlsplit(link)
    return bool(parts.scheme or parts.netloc)


def test_every_document_is_a_page(site: Path) -> None:
    for path in (ROOT / "docs").glob("*.md"):
        assert (site / f"{path.stem}.html").is_file(), path.name
    for path in (ROOT / "examples").glob("*.py"):
        assert (site / "examples" / f"{path.stem}.html").is_file(), path.name
    assert not (site / "tools").exists()


def test_no_link_inside_the_site_is_broken(site: Path, pages: dict[Path, Page]) -> None:
    checked, broken = 0, []
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if is_outside(link) or path.name == "404.html":  # served at any depth
                continue
            checked += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                broken.append(f"{path.relative_to(site)}: {link}: no such file")
            elif parts.fragment and unquote(parts.fragment) not in pages[target].anchors:
                broken.append(f"{path.relative_to(site)}: {link}: no such anchor")
    assert checked > 1000
    assert not broken, "\n".join(broken)


def test_nothing_is_loaded_from_other_hosts(site: Path, pages: dict[Path, Page]) -> None:
    found = [
        f"{path.relative_to(site)}: {link}"
        for path, page in pages.items()
        for link in page.loads
        if is_outside(link)
    ]
    for path in site.rglob("*.css"):
        for link in re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s]+)", path.read_text("utf-8")):
            if is_outside(link) and not link.startswith("data:"):
                found.append(f"{path.relative_to(site)}: {link}")
    assert not found, "\n".join(found)


def test_every_public_name_is_in_the_reference(site: Path, pages: dict[Path, Page]) -> None:
    anchors = set().union(*(pages[path].anchors for path in (site / "api").glob("*.html")))
    assert [name for name in nijar_env.__all__ if f"nijar_env.{name}" not in anchors] == []


def test_every_listed_name_has_an_entry(site: Path, pages: dict[Path, Page]) -> None:
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    names = re.findall(r"^\| `([\w.]+)` \|", text, re.M)
    anchors = set().union(*(pages[path].anchors for path in (site / "api").glob("*.html")))
    assert len(names) > 30
    assert [name for name in names if name not in anchors] == []
    scenes = (site / "api" / "observations_scenes_and_logs.html").read_text("utf-8")
    assert "mkdocstrings-source" in scenes  # the fields of a scene stand in its source alone


def test_the_search_knows_the_pages_and_runs_without_a_server(site: Path) -> None:
    index = (site / "search" / "search_index.js").read_text("utf-8")
    for page in ("index.html", "rules.html", "api/one_game.html"):
        assert page in index
    home = (site / "index.html").read_text("utf-8")
    assert "assets/iframe-worker.js" in home
