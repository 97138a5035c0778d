"""The program's version, which every assignment keeps."""

APP_VERSION = "0.1.0"
