"""Measuring players of Níjar: see docs/evaluation.md."""
