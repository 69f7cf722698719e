"""Where boards may light squares for their players: at home, and where there are lamps."""

from collections.abc import Callable
from typing import Any

import yaml

from bridge.config.devices import info_of
from bridge.config.schema import Reader
from bridge.core.laws.rulesets import RuleSet

AT_HOME = "home"
"""The rule set under which a board may help its players."""


def check_feedback(
    table: Any, node: yaml.MappingNode, rules: Callable[[Any], RuleSet], reader: Reader
) -> None:
    """Report that *table* wants help for players in a tournament, or of a board without lamps.

    *node* is where it is configured, *rules* tells what is played under.
    """
    if not table.feedback:
        return
    place = next(value for key, value in node.value if key.value == "feedback")
    if not rules(table).home:
        reader.report(
            place,
            f"'feedback' shows players where men stand wrong, and rule set {rules(table).name} is "
            "for tournaments",
            f"write 'rule_set: {AT_HOME}' for games at home, or delete 'feedback'",
        )
    if not info_of(table.board.driver).lamps:
        reader.report(
            place,
            f"driver {table.board.driver} can light no squares",
            "delete 'feedback'",
        )
