"""What goes wrong with Bluetooth LE, by what a person should do about it."""

from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDBusError,
    BleakDeviceNotFoundError,
    BleakError,
)
from dbus_fast.errors import DBusFastError

from drivers.errors import DriverError, LinkLostError, PortDeniedError, PortMissingError

TROUBLE = (BleakError, DBusFastError, OSError, EOFError)
"""What bleak and the bus raise where radio, service or board do not do what they are asked."""

_DBUS = "org.freedesktop.DBus"
_NO_SERVICE = (
    f"{_DBUS}.Error.ServiceUnknown",
    f"{_DBUS}.Error.NameHasNoOwner",
    f"{_DBUS}.Error.NoReply",
    f"{_DBUS}.Error.Spawn",
    "org.freedesktop.systemd1.",
)
_START_SERVICE = (
    "the Bluetooth service does not run: start it (Debian: sudo apt install bluez; "
    "sudo systemctl start bluetooth)"
)
_SWITCH_ON = (
    "the Bluetooth adapter is switched off: rfkill unblock bluetooth; bluetoothctl power on"
)
_DENIED = (
    "this user may not use Bluetooth; add the user to the group bluetooth "
    "(sudo usermod -aG bluetooth USER, then log in again)"
)
_REASONS = {
    BleakBluetoothNotAvailableReason.NO_BLUETOOTH: "there is no Bluetooth adapter: plug one in",
    BleakBluetoothNotAvailableReason.NO_BLE_CENTRAL_ROLE: (
        "the Bluetooth adapter knows no Bluetooth LE: plug in one of version 4.0 or later"
    ),
    BleakBluetoothNotAvailableReason.POWERED_OFF: _SWITCH_ON,
}


def explain(subject: str, error: BaseException) -> DriverError:
    """Return one of :data:`TROUBLE` by what a person should do about it."""
    match error:
        case BleakBluetoothNotAvailableError() if error.reason in _REASONS:
            return PortMissingError(f"{subject}: {_REASONS[error.reason]}")
        case BleakBluetoothNotAvailableError():
            return PortDeniedError(f"{subject}: {_DENIED}")
        case BleakDeviceNotFoundError():
            return PortMissingError(f"{subject}: is not in reach any more: is it switched on?")
        case BleakDBusError(dbus_error="org.bluez.Error.NotReady"):
            return PortMissingError(f"{subject}: {_SWITCH_ON}")
        case BleakDBusError(dbus_error="org.freedesktop.DBus.Error.AccessDenied"):
            return PortDeniedError(f"{subject}: {_DENIED}")
        case BleakDBusError() if error.dbus_error.startswith(_NO_SERVICE):
            return PortMissingError(f"{subject}: {_START_SERVICE}")
        case BleakDBusError():
            return LinkLostError(f"{subject}: {error.dbus_error_details or error.dbus_error}")
        case FileNotFoundError() | ConnectionError() | EOFError():
            return PortMissingError(f"{subject}: D-Bus does not run, without it no Bluetooth")
        case _:
            return LinkLostError(f"{subject}: {str(error) or type(error).__name__}")
