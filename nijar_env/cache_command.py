"""The command `nijar cache`: what compiled kernels are kept, clearing them, compiling ahead."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NoReturn

import typer

if TYPE_CHECKING:
    from .kernel_caches import KernelVersion

app: Final = typer.Typer(
    invoke_without_command=True,
    help="Compiled kernels: where they are kept and what they take; clear them, compile ahead.",
)
_MANY: Final = 5  # old versions, from which on a line says how to clear them


@app.callback()
def show(context: typer.Context) -> None:
    """Show the cache folder and the versions in it."""
    if context.invoked_subcommand is not None:
        return
    from rich.console import Console
    from rich.table import Table

    root, found = _read()
    console = Console()
    console.print(f"folder: {root}", soft_wrap=True, highlight=False, markup=False)
    if not found:
        console.print("no kernels in it; the first game compiles them, or `nijar cache warm`")
    else:
        table = Table()
        for heading in ("version", "kernels", "made by", "", "last used"):
            table.add_column(heading)
        for heading in ("files", "size"):
            table.add_column(heading, justify="right")
        for version in found:
            table.add_row(
                version.path.name,
                _kernels(version),
                _made_by(version),
                "current" if version.current else "old",
                time.strftime("%Y-%m-%d %H:%M", time.localtime(version.used)),
                f"{version.files:,}",
                _size(version.size),
            )
        console.print(table)
        console.print(f"{len(found)} in all, {_size(sum(v.size for v in found))}")
    old = [version for version in found if not version.current]
    if len(old) >= _MANY:
        freed = _size(sum(version.size for version in old))
        console.print(f"`nijar cache clear` frees the {freed} of {len(old)} old versions.")
    _mention_strangers(root)


@app.command()
def clear(
    everything: Annotated[
        bool, typer.Option("--all", help="Also the versions that are in use here.")
    ] = False,
) -> None:
    """Remove the kernels of old versions: other sources, libraries, Pythons or checkouts.

    They are compiled again when they are needed. Nothing else in the folder is touched.
    """
    from .kernel_caches import remove

    root, found = _read()
    doomed = [version for version in found if everything or not version.current]
    freed = 0
    for version in doomed:
        try:
            freed += remove(version)
        except OSError as error:
            _fail(f"{version.path}: cannot be removed: {error.strerror}")
    if not found:
        typer.echo(f"{root}: no kernels of nijar_env in it, nothing removed")
    else:
        kept = len(found) - len(doomed)
        typer.echo(f"{root}: {_versions(len(doomed))} removed, {_size(freed)} freed, {kept} kept")
    _mention_strangers(root)


@app.command()
def warm(
    agents: Annotated[
        bool, typer.Option(help="The players of the checkout too, where there is one.")
    ] = True,
) -> None:
    """Compile everything now, for instance while a container image is built."""
    from rich.console import Console

    from .core.cache_folder import is_kept
    from .core.jit import JIT
    from .kernel_caches import versions
    from .warm import jobs

    if not JIT:
        _fail("NUMBA_DISABLE_JIT is set: there is nothing to compile")
    root = _root()
    if not is_kept():
        _fail(f"{root}: cannot be written; name another folder in NIJAR_CACHE_DIR")
    console = Console(stderr=True)
    steps = jobs(agents)
    start = time.perf_counter()
    for number, (name, work) in enumerate(steps, 1):
        before = time.perf_counter()
        with console.status(f"{number} of {len(steps)}: {name}"):
            work()
        seconds = time.perf_counter() - before
        console.print(f"{number} of {len(steps)}: {name}, {seconds:.0f} s", highlight=False)
    seconds = time.perf_counter() - start
    found = [version for version in versions(root) if version.current]
    typer.echo(
        f"{root}: ready after {seconds:.0f} s, {sum(v.files for v in found):,} kernels, "
        f"{_size(sum(v.size for v in found))}"
    )


def _root() -> Path:
    from .core.cache_folder import cache_root

    try:
        return cache_root()
    except OSError as error:
        _fail(f"{error}; name a folder in NIJAR_CACHE_DIR")


def _read() -> tuple[Path, list[KernelVersion]]:
    from .kernel_caches import versions

    root = _root()
    if root.exists() and not root.is_dir():
        _fail(f"{root}: is a file; name a folder in NIJAR_CACHE_DIR")
    try:
        return root, versions(root)
    except OSError as error:
        _fail(f"{root}: cannot be read: {error.strerror}")


def _mention_strangers(root: Path) -> None:
    from .kernel_caches import strangers

    if others := strangers(root):
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        typer.echo(f"not of this cache, left alone: {others[0].name}{more}")


def _kernels(version: KernelVersion) -> str:
    path = Path(str(version.about.get("kernels", "?")))
    return f"{path.parent.name}/{path.name}" if path.parent.name else path.name


def _made_by(version: KernelVersion) -> str:
    about = version.about
    if not about:
        return "?"
    return f"{about.get('nijar_env')}, Python {about.get('python')}, {about.get('processor')}"


def _versions(count: int) -> str:
    return "1 version" if count == 1 else f"{count} versions"


def _size(number: int) -> str:
    return f"{number / 1e6:,.1f} MB"


def _fail(message: str) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(code=1)
