"""The Gymnasium ids of the environments, registered by `import nijar_env`.

Only names are registered here; the environments themselves are imported when one is made.
"""

from __future__ import annotations

from typing import Final

import gymnasium

SOLO_ID: Final = "nijar_env/Nijar-Solo-v0"
SEAT_ID: Final = "nijar_env/Nijar-v0"
_ENVIRONMENTS: Final = (
    (SOLO_ID, "NijarSoloEnv", "NijarSoloVectorEnv"),
    (SEAT_ID, "NijarEnv", "NijarVectorEnv"),
)


def register() -> None:
    """Register the ids with Gymnasium; those already there stay as they are."""
    for name, single, vector in _ENVIRONMENTS:
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"nijar_env.gym_env:{single}",
                vector_entry_point=f"nijar_env.vector_env:{vector}",
            )


register()
