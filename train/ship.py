"""`python -m train.ship RUN/best.safetensors agents/weights/solo.safetensors`: for everybody.

Keeps them in half precision, which takes half the room and changes hardly a choice; the header
stays as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from agents.weights_file import WeightsError, read_weights
from eval.command import Parser

from .files import write_bytes


def halve(source: Path, target: Path) -> None:
    """Write a weights file again in half precision.

    Raises:
        WeightsError: `source` cannot be read, or holds numbers too large for half precision.
    """
    weights = read_weights(source)
    arrays = {name: array.astype(np.float16) for name, array in weights.arrays.items()}
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise WeightsError(f"{source}: {name} does not fit into half precision; train anew")
    write_bytes(target, save(arrays, {**weights.metadata, "precision": "float16"}))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = Parser(prog="python -m train.ship", description=__doc__)
    parser.add_argument("source", type=Path, help="weights of a training run")
    parser.add_argument("target", type=Path, help="the file to write")
    args = parser.parse_args(argv)
    if not args.target.absolute().parent.is_dir():
        parser.error(f"there is no folder {args.target.absolute().parent}")
    try:
        halve(args.source, args.target)
    except WeightsError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{args.target} cannot be written: {error.strerror}")
    size = args.target.stat().st_size
    print(
        f"{args.target}: {size / 1e6:.2f} MB, fingerprint {read_weights(args.target).fingerprint}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
