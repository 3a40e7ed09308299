"""What the site has beyond docs/, and where links to other files lead (hooks of mkdocs).

- `docs/api.md` lists the public names, a section a page: for each section a page is made from the
  docstrings of the names in its table.
- Each example of `examples/` and the documents at the top of the repository get a page.
- A link to a file outside docs/ leads to the page that stands for it; any other is an error.
"""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from posixpath import dirname, normpath, relpath
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parents[2]
DOCUMENTS: Final = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "LICENSE": "licence.md",
    "CITATION.cff": "citation.md",
}
STANDS_FOR: Final = {"README.md": "index.md"}
BY_SOURCE: Final = {"nijar_env.scene_format"}  # whose fields say themselves what they are
_BY_SOURCE: Final = "\n    options:\n      show_source: true\n      merge_init_into_class: false"
_LINK: Final = re.compile(r"(\]\()(?!https?:|mailto:|#)([^)#\s]+)((?:#[^)\s]*)?\))")
_NAMED: Final = re.compile(r"(?<!\[)`((?:docs/)?[\w/.]+\.(?:md|py|cff))`(?!\])")
_ROW: Final = re.compile(r"^\| `([\w.]+)` \|", re.M)


def sections() -> dict[str, tuple[str, str]]:
    """The pages of the reference: path to title and text, in the order of docs/api.md."""
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    found = {}
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        slug = re.sub(r"\W+", "_", title.lower()).strip("_")
        found[f"api/{slug}.md"] = title, body
    return found


def examples() -> dict[str, Path]:
    """The pages of the examples: path to source."""
    return {f"examples/{p.stem}.md": p for p in sorted((ROOT / "examples").glob("*.py"))}


def _targets() -> dict[str, str]:
    """A file outside docs/ (from the top of the repository) to the page that stands for it."""
    targets = {**DOCUMENTS, **STANDS_FOR}
    targets |= {source.relative_to(ROOT).as_posix(): page for page, source in examples().items()}
    for page, (_, body) in sections().items():
        for link in re.findall(r"\]\(\.\./([\w/.]+\.py)\)", body):
            targets.setdefault(link, page)
    return targets


def _example(source: Path) -> str:
    text = source.read_text(encoding="utf-8")
    said = ast.get_docstring(ast.parse(text)) or ""
    first, _, rest = said.partition("\n\n")
    code = text.split('"""', 2)[2].strip()
    # Below the first paragraph stand more prose, and commands, which are indented or not.
    words = re.sub(r"^(?: {4})?((?:python|pip) .*)$", r"    \1", rest, flags=re.M)
    return f"# {source.name}\n\n{first}\n\n{words}\n\n```python\n{code}\n```\n"


def _document(name: str) -> str:
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".md"):
        return text
    title = {"LICENSE": "Licence", "CITATION.cff": "Citation"}[name]
    language = "yaml" if name.endswith(".cff") else "text"
    return f"# {title}\n\n```{language}\n{text.strip()}\n```\n"


def _entries(names: list[str]) -> list[str]:
    """What mkdocstrings is to write. Names of a module that is listed itself stand below it."""
    entries = []
    for name in names:
        inside = [n.rpartition(".")[2] for n in names if n.rpartition(".")[0] == name]
        if inside:
            listed = ", ".join(inside)
            entries.append(f"::: {name}\n    options:\n      members: [{listed}]")
        elif name.rpartition(".")[0] not in names:
            entries.append(f"::: {name}{_BY_SOURCE if name in BY_SOURCE else ''}")
    return entries


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The pages that are made here take their places in the navigation."""
    made = {"api.md": list(sections()), "examples.md": list(examples())}
    for entry in config.nav or []:  # a title each, with a page or a list below it
        for children in entry.values():
            if isinstance(children, list):
                for page in [page for child in children for page in child.values()]:
                    children += made.get(page, [])
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages that are made here."""
    texts = {page: _document(name) for name, page in DOCUMENTS.items()}
    texts |= {page: _example(source) for page, source in examples().items()}
    for page, (title, body) in sections().items():
        names = _ROW.findall(body)
        if not names:
            raise PluginError(f"docs/api.md: the section '{title}' has no table of names")
        said = body.split("\n|")[0].strip()
        texts[page] = f"# {title}\n\n{said}\n\n" + "\n\n".join(_entries(names))
    for page, text in texts.items():
        files.append(File.generated(config, page, content=text))
    return files


def _source_of(page: Page) -> str:
    """Where the text of a page lies in the repository: its links count from there."""
    for name, made in DOCUMENTS.items():
        if page.file.src_uri == made:
            return name
    if page.file.src_uri in sections():
        return "docs/api.md"
    return f"docs/{page.file.src_uri}"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links out of docs/ lead to pages; files that are only named become links."""
    here, source, targets = page.file.src_uri, _source_of(page), _targets()

    def to(path: str) -> str | None:
        """The link to the page or file that stands for a path from the top of the repository."""
        inside = targets.get(path)
        if inside is None and path.startswith("docs/"):
            inside = path.removeprefix("docs/")
        return None if inside is None else relpath(inside, dirname(here) or ".")

    def link(match: re.Match[str]) -> str:
        path = normpath(f"{dirname(source)}/{match[2]}".lstrip("/"))
        found = to(path)
        if found is None:
            raise PluginError(f"{source}: no page stands for the link to {match[2]}")
        return f"{match[1]}{found}{match[3]}"

    def named(match: re.Match[str]) -> str:
        path = match[1]
        if path not in targets and not (ROOT / path).is_file():
            return match[0]
        found = to(path)
        return match[0] if found is None or found == here else f"[{match[0]}]({found})"

    def words(text: str) -> str:
        return _NAMED.sub(named, _LINK.sub(link, text))

    if here == "api.md":
        markdown = _ROW.sub(r"| [`\1`][\1] |", markdown)
    # Neither fenced nor indented code has links.
    parts = re.split(r"(^```.*?^```$|^ {4}[^\n]*$)", markdown, flags=re.M | re.S)
    return "".join(words(part) if i % 2 == 0 else part for i, part in enumerate(parts))


def on_page_content(html: str, **_: Any) -> str:
    """An interval in a table is not broken in its middle."""
    return re.sub(
        r"(?<=[\[\d])(, | %)(?=[^<>]*</t[dh]>)", lambda m: m[1].replace(" ", "\u00a0"), html
    )


def on_post_build(config: MkDocsConfig) -> None:
    """The theme's maps of its sources are of no use to readers."""
    for folder, _, names in os.walk(config.site_dir):
        for name in names:
            if name.endswith((".js.map", ".css.map")):
                (Path(folder) / name).unlink()


def on_page_context(context: dict[str, Any], page: Page, **_: Any) -> dict[str, Any]:
    """Nothing to edit: the site names no repository."""
    page.edit_url = None
    return context
