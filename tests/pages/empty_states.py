"""What several tests of empty states share."""

KEYS = {"correlation": "tab", "drift": "drift"}
