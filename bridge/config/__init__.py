"""The configuration: one YAML file, checked as a whole before anything starts."""

from bridge.config.loading import load, parse
from bridge.config.problems import ConfigError, Problem, UnreadableError
from bridge.config.settings import (
    ANY_PORT,
    BoardSettings,
    CaptureLimits,
    Config,
    DataSettings,
    EventSettings,
    LogSettings,
    PgnSettings,
    Player,
    TableSettings,
)

__all__ = [
    "ANY_PORT",
    "BoardSettings",
    "CaptureLimits",
    "Config",
    "ConfigError",
    "DataSettings",
    "EventSettings",
    "LogSettings",
    "PgnSettings",
    "Player",
    "Problem",
    "TableSettings",
    "UnreadableError",
    "load",
    "parse",
]
