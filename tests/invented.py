"""What a driver declares that there is only in tests; with :func:`dataclasses.replace` another."""

from drivers.codec import DriverInfo, Fingerprint, LineSettings

INVENTED = DriverInfo(
    name="acme",
    title="Acme board",
    transports=("serial",),
    line=LineSettings(baud=9600),
    fingerprint=Fingerprint(),
    sensing="identity",
    has_clock=False,
    longest_message=4,
    silence_limit=5.0,
    evidence="inferred",
    sources="made up for tests",
)
