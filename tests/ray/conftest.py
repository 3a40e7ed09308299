"""A cluster of three cores on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from eval import provenance


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Of all tests of a module; commands that run in this process use it too."""
    import ray

    def start() -> bool:
        try:
            ray.init(
                address="local",
                num_cpus=3,
                include_dashboard=False,
                log_to_driver=False,
                logging_level="ERROR",
            )
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
            ray.shutdown()
            return False
        return True

    # Half a minute is all that Ray waits for its own processes, however busy the machine is.
    assert any(start() for _ in range(10))
    yield
    ray.shutdown()
    provenance._besides.clear()


@pytest.fixture
def all_free(cluster: None) -> Callable[[], bool]:
    """Whether all cores come free, because no actor is left."""
    import ray

    def look() -> bool:
        for _ in range(3000):
            if ray.available_resources().get("CPU") == 3:
                return True
            time.sleep(0.1)
        return False

    return look
