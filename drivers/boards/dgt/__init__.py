"""DGT e-boards in single-board mode: serial, USB and Bluetooth classic."""
