"""No client takes all connections."""

import pytest

from bridge.outputs.admission import (
    REQUESTS_A_SECOND,
    REQUESTS_AT_ONCE,
    SENT_AWAY,
    Admission,
)


def admitted(admission: Admission, *addresses: str) -> list[bool]:
    return [admission.admits(address, 0.0) for address in addresses]


def test_there_is_an_end_for_each_address_and_not_for_others() -> None:
    admission = Admission(2)
    assert admitted(admission, "10.0.0.1", "10.0.0.1", "10.0.0.1") == [True, True, False]
    assert admitted(admission, "10.0.0.2", "10.0.0.2") == [True, True]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8::1", "2001:db8::ffff:0:0:7"),
        ("10.0.0.1", "::ffff:10.0.0.1"),
        ("fe80::1%eth0", "fe80::2"),
    ],
)
def test_addresses_that_one_client_has_count_together(one: str, other: str) -> None:
    assert admitted(Admission(1), one, other) == [True, False]


def test_another_network_is_another_client() -> None:
    assert admitted(Admission(1), "2001:db8::1", "2001:db8:0:1::1") == [True, True]


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_may_have_many(address: str) -> None:
    assert all(admitted(Admission(1), *[address] * 10))


def test_proxies_may_have_many() -> None:
    admission = Admission(1, ["10.0.0.1", "2001:db8::1"])
    assert all(admitted(admission, *["10.0.0.1", "2001:db8::1"] * 10))
    assert admitted(admission, "10.0.0.2", "10.0.0.2") == [True, False]


def test_who_has_gone_does_not_count() -> None:
    admission = Admission(2)
    admitted(admission, "10.0.0.1", "10.0.0.1", "10.0.0.2")
    admission.recount(["10.0.0.1"], 0.0)
    assert admitted(admission, "10.0.0.1", "10.0.0.1") == [True, False]


def asked(admission: Admission, times: int, now: float, address: str = "10.0.0.1") -> int:
    """Return how many of so many requests are answered."""
    return sum(admission.may_ask(address, now) for _ in range(times))


def test_who_asks_too_often_has_to_go_for_a_while() -> None:
    admission = Admission(10)
    most = round(REQUESTS_AT_ONCE)
    assert asked(admission, most + 5, 0.0) == most
    assert not admission.admits("10.0.0.1", SENT_AWAY - 0.1)
    assert admission.admits("10.0.0.2", 1.0)
    assert asked(admission, 5, 1.0, "10.0.0.2") == 5
    assert admission.admits("10.0.0.1", SENT_AWAY)


def test_who_asks_steadily_is_always_answered() -> None:
    admission = Admission(10)
    asked(admission, round(REQUESTS_AT_ONCE), 0.0)
    for second in range(1, 50):
        assert asked(admission, round(REQUESTS_A_SECOND) + 1, second) == round(REQUESTS_A_SECOND)


def test_this_machine_and_proxies_may_ask_as_often_as_they_like() -> None:
    admission, many = Admission(10, ["10.0.0.9"]), 2 * round(REQUESTS_AT_ONCE)
    for address in ("127.0.0.1", "10.0.0.9"):
        assert asked(admission, many, 0.0, address) == many


def test_nothing_is_kept_of_who_asked_long_ago() -> None:
    admission = Admission(10)
    for n in range(50):
        asked(admission, 2 * round(REQUESTS_AT_ONCE), 0.0, f"10.0.1.{n}")
    admission.recount([], 0.5)
    assert (len(admission._left), len(admission._away)) == (50, 50)
    admission.recount([], 100.0)
    assert (len(admission._left), len(admission._away)) == (0, 0)
    assert asked(admission, 9000, 100.0) == round(REQUESTS_AT_ONCE)


def test_who_has_gone_before_he_is_asked_counts_too() -> None:
    assert admitted(Admission(1), "", "") == [True, False]
