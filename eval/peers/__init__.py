"""Speed beside other projects' games, and where the time goes: docs/performance.md."""
