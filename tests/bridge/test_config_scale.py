"""What a configuration says of brokers and nodes."""

from pathlib import Path

import pytest

from bridge.config import ConfigError, parse
from bridge.daemon.changes import left

TABLE = 'tables: [{table: "1", node: north, board: {port: /dev/a}}]\n'
LEAST = "scale: {event: open, servers: ['nats://localhost:4222']}\n"


def refused(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse(text, Path("/hall/event.yaml"))
    return "\n".join(f"{each.what}; {each.remedy}" for each in caught.value.problems)


def test_files_are_those_beside_the_configuration() -> None:
    text = TABLE + (
        "scale: {event: open, servers: ['tls://a:4222'], ca: ca.pem, certificate: c.pem, "
        "key_file: c.key, password_file: secret}\n"
    )
    config = parse(text, Path("/hall/event.yaml"))
    assert config.scale is not None
    assert config.scale.ca == Path("/hall/ca.pem")
    assert config.scale.password_file == Path("/hall/secret")
    assert config.scale.is_encrypted
    assert config.tables[0].node == "north"


def test_ports_are_called_the_same_on_several_machines() -> None:
    two = TABLE.replace("}]", '}, {table: "2", node: %s, board: {port: /dev/a}}]')
    config = parse(two % "south" + LEAST, Path("/hall/event.yaml"))
    assert [table.node for table in config.tables] == ["north", "south"]
    assert "port serial:/dev/a is used on line 1 too" in refused(two % "north" + LEAST)


def test_most_can_be_left_out() -> None:
    config = parse(TABLE + LEAST, Path("/hall/event.yaml"))
    assert config.scale is not None
    assert (config.scale.replicas, config.scale.ca, config.scale.user) == (1, None, None)
    assert not config.scale.is_encrypted
    assert parse(TABLE, Path("/hall/event.yaml")).scale is None


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ("{event: Big Open, servers: ['nats://a:4222']}", "'event' is 'Big Open'"),
        ("{event: open, servers: ['http://a:4222']}", "write an address like tls://"),
        ("{event: open, servers: ['tls://me:secret@a:4222']}", "have no place in it"),
        ("{event: open, servers: []}", "an empty list"),
        ("{event: open}", "'servers' is missing"),
        ("{event: open, servers: ['tls://a:4222'], certificate: c}", "without 'key_file'"),
        ("{event: open, servers: ['tls://a:4222'], key_file: c}", "without 'certificate'"),
        ("{event: open, servers: ['nats://a:4222'], password_file: p}", "in the clear"),
    ],
)
def test_what_is_wrong_is_said(scale: str, words: str) -> None:
    assert words in refused(f"{TABLE}scale: {scale}\n")


def test_a_name_of_a_node_is_one_word() -> None:
    assert "'node' is 'Hall B'" in refused('tables: [{table: "1", node: Hall B}]\n')


def test_on_this_machine_a_password_may_go_in_the_clear() -> None:
    text = TABLE + LEAST.replace("}", ", password_file: p}")
    assert parse(text, Path("/hall/event.yaml")).scale is not None


def test_another_node_needs_a_restart() -> None:
    served = parse(TABLE + LEAST, Path("/hall/event.yaml"))
    config = parse(TABLE.replace("north", "south"), Path("/hall/event.yaml"))
    assert list(left(served, config)) == ["table 1 is at another node", "'scale' is changed"]
