"""The loops that are timed, one module a project, run in that project's environment."""
