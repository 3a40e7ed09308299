"""Players of Níjar, named by specification strings such as `greedy:beam=32` (docs/agents.md)."""

from __future__ import annotations

from .base import Agent, GameView
from .registry import AgentSpecError, agent_names, make_agent

__all__ = ["Agent", "AgentSpecError", "GameView", "agent_names", "make_agent"]
