"""The running bridge: links, journal, tables and outputs put together."""
