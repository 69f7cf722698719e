"""What can go wrong with a device, by what the caller should do about it."""


class DriverError(Exception):
    """Base class: catching it catches all of them."""


# Expected in every tournament; the caller waits and tries again.


class LinkLostError(DriverError):
    """The cable, the radio or the power went away; the link may come back."""


class PortMissingError(DriverError):
    """There is no such port now; the board may be plugged in later."""


class PortBusyError(DriverError):
    """Another program holds the port."""


class PortDeniedError(DriverError):
    """The user who runs us may not open the port."""


# The input is wrong; a person has to put it right.


class AddressError(DriverError):
    """An address that no transport understands."""


class OptionError(DriverError):
    """An option of a board with a value that it cannot have."""


class CaptureError(DriverError):
    """A capture file that cannot be read; the message names file and line."""


class UnknownDriverError(DriverError):
    """A name that no installed driver has."""


class UnknownCommandError(DriverError):
    """A command that boards of a driver have not, or that is never sent."""
