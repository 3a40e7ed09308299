"""Players of Níjar: see docs/agents.md."""
