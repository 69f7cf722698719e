"""The configuration: one YAML file, checked as a whole before anything starts."""

from bridge.config.boards import BoardSettings
from bridge.config.clocks import ClockSettings
from bridge.config.delays import NO_DELAY, Delay
from bridge.config.devices import ANY_PORT
from bridge.config.events import EventSettings
from bridge.config.lichess import LichessSettings
from bridge.config.livechess import LiveChessSettings
from bridge.config.loading import load, parse
from bridge.config.players import Player
from bridge.config.problems import ConfigError, Problem, UnreadableError
from bridge.config.scale import ScaleSettings
from bridge.config.settings import Config, LogSettings
from bridge.config.storage import CaptureLimits, CloudSettings, DataSettings, PgnSettings
from bridge.config.tables import TableSettings
from bridge.config.uploads import UploadSettings
from bridge.config.web import WebSettings
from bridge.config.webhooks import WebhookSettings

__all__ = [
    "ANY_PORT",
    "NO_DELAY",
    "BoardSettings",
    "CaptureLimits",
    "ClockSettings",
    "CloudSettings",
    "Config",
    "ConfigError",
    "DataSettings",
    "Delay",
    "EventSettings",
    "LichessSettings",
    "LiveChessSettings",
    "LogSettings",
    "PgnSettings",
    "Player",
    "Problem",
    "ScaleSettings",
    "TableSettings",
    "UnreadableError",
    "UploadSettings",
    "WebSettings",
    "WebhookSettings",
    "load",
    "parse",
]
