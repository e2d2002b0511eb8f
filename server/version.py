"""The program's version; docs/releasing.md says when it changes."""

VERSION = "1.0"
