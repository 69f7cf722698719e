"""The configuration file: schema, defaults and checks."""
