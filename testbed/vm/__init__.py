"""A virtual machine with Debian's own kernel, udev, Bluetooth and systemd, to test in."""
