"""A document's one way of being written, and the digest that names it by its content."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

FORMAT = "whist-published/1"
EVENT, SEASON, DRIVE = "event", "season", "drive"
KINDS = (EVENT, SEASON, DRIVE)
LARGEST = 5_000_000
"""Bytes of one document."""

Document = Mapping[str, Any]


def written(document: Document) -> bytes:
    """Write a document: the same content is always the same bytes."""
    text = json.dumps(
        document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return text.encode()


def digest_of(document: Document) -> str:
    """Name a document by its content: SHA-256 of its bytes, in hexadecimal."""
    return sha256(written(document)).hexdigest()
