"""No client takes all connections."""

import pytest

from bridge.outputs.admission import Admission


def admitted(admission: Admission, *addresses: str) -> list[bool]:
    return [admission.admits(address) for address in addresses]


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
    admission.recount(["10.0.0.1"])
    assert admitted(admission, "10.0.0.1", "10.0.0.1") == [True, False]


def test_who_has_gone_before_he_is_asked_counts_too() -> None:
    assert admitted(Admission(1), "", "") == [True, False]
