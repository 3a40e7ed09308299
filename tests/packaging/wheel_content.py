"""Check what a wheel holds: the library, its data, its licence, and nothing else.

python tests/packaging/wheel_content.py dist/nijar_env-0.1.0-py3-none-any.whl
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path, PurePosixPath

SUFFIXES = {".css", ".html", ".js", ".py", ".toml", ".typed"}
PAGES = ("replay_page", "web_page")  # each of three files


def faults(wheel: Path) -> list[str]:
    """What is wrong with the content of `wheel`, one line a fault."""
    with zipfile.ZipFile(wheel) as archive:
        names = [PurePosixPath(name) for name in archive.namelist()]
    library = [name for name in names if name.parts[0] == "nijar_env"]
    info = [name for name in names if name.parts[0].endswith(".dist-info")]
    found = [f"{name}: not part of the library" for name in names if name not in library + info]
    found += [f"{name}: not a file to ship" for name in library if name.suffix not in SUFFIXES]
    if PurePosixPath("nijar_env/py.typed") not in library:
        found.append("nijar_env/py.typed is missing")
    if not any(name.suffix == ".toml" for name in library):
        found.append("the box's data files are missing")
    for folder in PAGES:
        for part in ("page.css", "page.html", "page.js"):
            if PurePosixPath("nijar_env", folder, part) not in library:
                found.append(f"nijar_env/{folder}/{part} is missing")
    if not any(name.name == "LICENSE" for name in info):
        found.append("the licence is missing")
    return found


if __name__ == "__main__":
    wheel = Path(sys.argv[1])
    lines = faults(wheel)
    print("\n".join(lines) or f"{wheel.name}: as it should be")
    sys.exit(bool(lines))
