"""Fitting players: a package of the checkout, not of the wheel. Needs the extra `train`."""

import os

# PyTorch's and Numba's threads spin while they wait. Where another program uses the other core,
# that made two threads up to 90 times slower than one; sleeping costs nothing that can be seen.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
