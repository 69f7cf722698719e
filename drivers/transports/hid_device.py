"""One interface of a USB HID device, spoken to through pyusb. Everything here blocks."""

import contextlib
from typing import Any

import usb.core
import usb.util

from drivers.transports.hid import Reports, read_descriptor

_WRITE_MS = 1000
_GET_DESCRIPTOR, _REPORT_DESCRIPTOR = 6, 0x2200
_SET_REPORT, _OUTPUT_REPORT = 9, 0x0200
_FROM_INTERFACE, _TO_INTERFACE = 0x81, 0x21
_LONGEST_DESCRIPTOR = 4096


class HidDevice:
    """One interface of a device, taken away from everybody else until it is released.

    A program that uses the board by way of the kernel's driver (``/dev/hidraw``), as browsers do,
    loses it to us; nothing tells whether there is one.
    """

    def __init__(self, device: Any, interface: Any) -> None:
        self._device = device
        self._number = interface.bInterfaceNumber
        self._in = _endpoint(interface, usb.util.ENDPOINT_IN)
        self._out = _endpoint(interface, usb.util.ENDPOINT_OUT)
        self._detached = False
        self._reports = Reports(0, numbered=False)

    def claim(self) -> None:
        """Take the interface from the kernel's driver.

        Raises:
            usb.core.USBError: somebody else has it, or it may not be opened.
        """
        if self._device.is_kernel_driver_active(self._number):
            self._device.detach_kernel_driver(self._number)
            self._detached = True
        usb.util.claim_interface(self._device, self._number)
        descriptor = self._device.ctrl_transfer(
            _FROM_INTERFACE, _GET_DESCRIPTOR, _REPORT_DESCRIPTOR, self._number, _LONGEST_DESCRIPTOR
        )
        self._reports = read_descriptor(descriptor.tobytes())

    def speaks(self, usage_page: int) -> bool:
        """Whether reports of this usage page come from it."""
        return self._in is not None and self._reports.usage_page == usage_page

    def read(self, timeout_ms: int) -> bytes:
        """Return the next packet of a report; nothing where none came in time.

        Raises:
            usb.core.USBError: the device is gone, or stalls (``EPIPE``).
        """
        # More than a packet must not be asked for: a report that fills its packet would be kept
        # back until the next one.
        try:
            data = self._device.read(self._in, self._in.wMaxPacketSize, timeout_ms)
        except usb.core.USBTimeoutError:
            return b""
        return bytes(data)

    def clear_stall(self) -> None:
        """Let the device send again after it has stalled."""
        self._device.clear_halt(self._in)

    def write(self, report: bytes) -> None:
        """Send one report; a device without an OUT endpoint takes it as a control request.

        Raises:
            usb.core.USBError: the device is gone, or takes nothing for a second.
        """
        if self._out is not None:
            self._device.write(self._out, report, _WRITE_MS)
            return
        number = report[0] if self._reports.numbered else 0
        self._device.ctrl_transfer(
            _TO_INTERFACE, _SET_REPORT, _OUTPUT_REPORT | number, self._number, report, _WRITE_MS
        )

    def release(self) -> None:
        """Give the interface back to the kernel's driver; a device that is gone is forgotten."""
        with contextlib.suppress(usb.core.USBError):
            usb.util.release_interface(self._device, self._number)
        if self._detached:
            with contextlib.suppress(usb.core.USBError):
                self._device.attach_kernel_driver(self._number)
        usb.util.dispose_resources(self._device)


def _endpoint(interface: Any, direction: int) -> Any:
    """Return the interrupt endpoint of this direction, or None."""
    kind = direction, usb.util.ENDPOINT_TYPE_INTR
    for end in interface:
        found = usb.util.endpoint_direction(end.bEndpointAddress)
        if (found, usb.util.endpoint_type(end.bmAttributes)) == kind:
            return end
    return None
