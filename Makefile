# `make demo` and `make test` set up everything they need on a fresh Debian machine with Python 3.11.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

# The tests run pgn-extract, pdftotext of poppler-utils, a private dbus-daemon for Bluetooth, the broker
# nats-server, the SFTP server of OpenSSH, strace, and a browser. Some are where users do not look.
export PATH := $(PATH):/usr/games:/usr/sbin
TEST_PACKAGES := chromium dbus-daemon nats-server openssh-sftp-server pgn-extract poppler-utils strace udev umockdev
TEST_PROGRAMS := chromium dbus-daemon nats-server /usr/lib/openssh/sftp-server pgn-extract pdftotext strace udevadm umockdev-run

# Those in a virtual machine run QEMU, and make its disk.
VM_PACKAGES := genext2fs mmdebstrap qemu-system-x86
VM_PROGRAMS := genext2fs mmdebstrap qemu-system-x86_64

# Many tests wait more than they reckon.
WORKERS ?= $(shell expr $$(nproc) + 1)

.DEFAULT_GOAL := help
.PHONY: help demo test check lint types layers unit coverage test-vm soak audit endurance benchmarks udev-install clean

help:  ## say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'eboard-bridge needs Python 3.11 or newer; call make with PYTHON=/path/to/python3.11'; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { \
	  rm -rf $(VENV); \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv $(VENV); \
	  else echo 'Python cannot make a virtual environment here: install the package python3-venv'; exit 1; fi; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'

# The web pages are built when the package is installed.
PAGE := $(shell find bridge/web/page -name node_modules -prune -o -type f -print)

$(VENV)/.run-ready: pyproject.toml hatch_build.py $(PAGE) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[ble,scale,serial,sftp,usb]'
	@touch $@

$(VENV)/.test-ready: $(VENV)/.run-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

# Programs and the packages that bring them: what is missing is installed as root, else named.
define need
	@for program in $(1); do \
	  command -v $$program >/dev/null || missing=$$program; done; [ -z "$$missing" ] || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq $(2) >/dev/null; \
	  else echo 'missing for the tests (as root: apt-get install $(2))'; exit 1; fi; }
endef

.PHONY: debian-packages vm-packages
debian-packages:
	$(call need,$(TEST_PROGRAMS),$(TEST_PACKAGES))

vm-packages:
	$(call need,$(VM_PROGRAMS),$(VM_PACKAGES))

demo: $(VENV)/.run-ready  ## four simulated boards on real pseudo-terminals, about two minutes
	@$(BIN)/eboard-bridge demo

test: check unit  ## everything that must be true before a change lands

check: lint types layers  ## style, types and layers

lint: $(VENV)/.test-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test-ready
	$(BIN)/mypy

layers: $(VENV)/.test-ready
	$(BIN)/lint-imports

unit: $(VENV)/.test-ready debian-packages  ## the tests alone
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup $(PYTEST)

coverage:  ## the tests, which take longer then, and what they cover
	$(MAKE) unit PYTEST="--cov --cov-report=term"

$(VENV)/.vm-ready: $(VENV)/.test-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group vm
	@touch $@

test-vm: $(VENV)/.vm-ready vm-packages  ## udev, USB, Bluetooth and systemd in a virtual machine
	$(BIN)/python -m testbed.vm $(VM)

$(VENV)/.soak-ready: $(VENV)/.test-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group soak
	@touch $@

soak: $(VENV)/.soak-ready debian-packages  ## the long versions: hours, SOAK="-k kills" for a part
	EBOARD_BRIDGE_SOAK=1 $(BIN)/pytest -p no:randomly --timeout 14400 tests/soak $(SOAK)

$(VENV)/.audit-ready: $(VENV)/.test-ready
	@rm -rf $(VENV)/audit
	$(BIN)/python -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check --group audit
	@touch $@

audit: $(VENV)/.audit-ready  ## ask the network for known weaknesses of the packages that are installed
	$(VENV)/audit/bin/pip-audit --strict --skip-editable --progress-spinner off \
	  --path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
	@command -v npm >/dev/null || { echo 'npm is missing for the parts of the pages'; exit 1; }
	cd bridge/web/page && npm audit

endurance: $(VENV)/.test-ready  ## kill -9 the daemon of a tournament at 200 random moments
	$(BIN)/python -m benchmarks.tournament --boards 8 --radio 2 --minutes 240 --rate 4 --pace blitz \
	  --every 1800 --kills 200

benchmarks: $(VENV)/.test-ready  ## measure and print the tables
	$(BIN)/python -m benchmarks

udev-install:  ## as root: let boards be opened, and keep others from disturbing them
	install -m 644 udev/70-eboard-bridge.rules /etc/udev/rules.d/
	udevadm control --reload
	udevadm trigger

clean:  ## forget the environment and every cache
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* build dist *.egg-info \
	  bridge/web/static bridge/web/page/node_modules
