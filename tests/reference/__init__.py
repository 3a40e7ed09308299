"""An independent, slow reference engine of Níjar: the oracle of the differential tests."""

from .chance import Chance, RandomChance
from .deal import make_setup_scene
from .engine import ReferenceGame

__all__ = ["Chance", "RandomChance", "ReferenceGame", "make_setup_scene"]
