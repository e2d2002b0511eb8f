"""How a body travels: in the smallest form that who asks can unpack.

Browsers ask for brotli over https alone, so a server packs with it and a laptop with gzip. Its
fifth step is as quick as gzip's sixth and leaves a sixth less; from the ninth on it costs many
times as much (docs/performance.md).
"""

import gzip
from enum import StrEnum
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import brotli

QUALITY = {"gzip": 6, "br": 5}
READ = 200
"""Different ways of asking that are remembered; browsers have a handful."""


class Form(StrEnum):
    """How a body is packed, by the word that `Accept-Encoding` and `Content-Encoding` have."""

    GZIP = "gzip"
    BROTLI = "br"


FORMS = tuple(Form)


class Body(NamedTuple):
    """A status and the packed body; an empty one is not packed."""

    status: int
    packed: bytes
    form: Form = Form.GZIP


def packed(status: int, content: bytes, form: Form | None = Form.GZIP) -> Body:
    """Pack a body; for who unpacks nothing it is kept in the form that everybody reads."""
    form = form or Form.GZIP
    if not content:
        return Body(status, b"", form)
    if form is Form.BROTLI:
        return Body(status, bytes(brotli.compress(content, quality=QUALITY[form])), form)
    return Body(status, gzip.compress(content, QUALITY[form]), form)


def unpacked(body: Body) -> bytes:
    """Unpack a body."""
    if not body.packed:
        return b""
    if body.form is Form.BROTLI:
        return bytes(brotli.decompress(body.packed))
    return gzip.decompress(body.packed)


def in_form(body: Body, form: Form | None) -> Body:
    """Give a body in the form that is asked for; with None as it is."""
    if form is None or form is body.form:
        return body
    return packed(body.status, unpacked(body), form)


@lru_cache(READ)
def asked_for(accepts: str) -> Form | None:
    """Say which form `Accept-Encoding` likes best; None for who wants none, or says nothing.

    What cannot be read does not count as asked for. Who takes anything (`*`) gets gzip, which
    every such program reads. Source: RFC 9110, 12.5.3.
    """
    likes = dict(_like(each) for each in accepts.split(","))
    gzip_ = likes.get("gzip", likes.get("x-gzip", likes.get("*", 0.0)))
    best, form = max((likes.get("br", 0.0), Form.BROTLI), (gzip_, Form.GZIP), key=itemgetter(0))
    return form if best > 0 and best >= likes.get("identity", 0.0) else None


def _like(part: str) -> tuple[str, float]:
    """Read one form and how much it is liked, from 0 (not at all) to 1."""
    name, _semicolon, weight = part.strip().lower().partition(";")
    name, weight = name.strip(), weight.strip()
    if not weight:
        return name, 1.0
    try:
        liked = float(weight.removeprefix("q=")) if weight.startswith("q=") else 0.0
    except ValueError:
        return name, 0.0
    return name, liked if 0 <= liked <= 1 else 0.0
