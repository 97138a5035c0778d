"""The program's version, which every assignment records."""

APP_VERSION = "0.1.0"
