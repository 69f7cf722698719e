"""The Nordic UART service, a serial line by Bluetooth LE; boards of many makers have it.

So have many devices that are no boards. Source: Nordic Semiconductor's documentation of it.
"""

SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFY = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
