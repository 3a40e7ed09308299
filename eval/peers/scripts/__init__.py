"""The loops that are timed, one module a project. Each runs alone, in that project's environment."""
