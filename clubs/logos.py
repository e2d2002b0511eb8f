"""The processing of uploaded club logos, which are decoded and redrawn before storage."""

import hashlib
import warnings
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image

from clubs.errors import InvalidLogo
from clubs.file_errors import wrap_file_errors

IMAGE_FORMATS = ("PNG", "JPEG", "WEBP")
MAX_LOGO_BYTES = 2 * 1024 * 1024
MAX_SIDE_PIXELS = 4_000  # the maximum side length
MAX_JPEG_SCANS = 50  # a progressive JPEG has about ten; decoding costs time for each
MAX_PNG_CHUNKS = 2_000
JPEG_SIGNATURE, PNG_SIGNATURE = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"
JPEG_SCAN_MARKER = b"\xff\xda"
LOGO_SIDE_PIXELS = 96  # three times the 32 pixels on pages, for high-resolution screens


def redraw_logo(image_bytes: bytes) -> bytes:
    """Return an uploaded picture as a small PNG.

    Raises InvalidLogo if it is invalid or too large.
    """
    if len(image_bytes) > MAX_LOGO_BYTES:
        raise InvalidLogo(_("The picture is larger than 2 MB. Choose a smaller one."))
    if _has_too_many_parts(image_bytes):
        raise _build_unreadable_error("")
    with wrap_file_errors(_build_unreadable_error), warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # checked below
        with Image.open(BytesIO(image_bytes), formats=IMAGE_FORMATS) as picture:
            if max(picture.size) > MAX_SIDE_PIXELS:
                raise InvalidLogo(
                    _("The picture is %(long)s pixels wide or high. The limit is %(most)s.")
                    % {"long": max(picture.size), "most": MAX_SIDE_PIXELS}
                )
            return _shrink_picture(picture)


def _build_unreadable_error(_position: str) -> InvalidLogo:
    message = _("Choose a PNG, JPEG or WebP of up to %(most)s pixels per side.")
    return InvalidLogo(message % {"most": MAX_SIDE_PIXELS})


def _has_too_many_parts(image_bytes: bytes) -> bool:
    """Return whether a JPEG has too many scans, or a PNG too many chunks, to decode quickly."""
    if image_bytes.startswith(JPEG_SIGNATURE):
        return image_bytes.count(JPEG_SCAN_MARKER) > MAX_JPEG_SCANS
    position, chunk_count = len(PNG_SIGNATURE), 0
    while image_bytes.startswith(PNG_SIGNATURE) and position < len(image_bytes):
        chunk_count += 1
        if chunk_count > MAX_PNG_CHUNKS:
            return True
        position += 12 + int.from_bytes(image_bytes[position : position + 4])
    return False


def _shrink_picture(picture: Image.Image) -> bytes:
    """Fit a picture into a square with a transparent background, and remove its metadata."""
    # decode a large JPEG at a smaller size
    picture.draft("RGB", (LOGO_SIDE_PIXELS, LOGO_SIDE_PIXELS))
    rgba_picture = picture.convert("RGBA")
    rgba_picture.thumbnail((LOGO_SIDE_PIXELS, LOGO_SIDE_PIXELS))
    square = Image.new("RGBA", (LOGO_SIDE_PIXELS, LOGO_SIDE_PIXELS))
    square.paste(
        rgba_picture,
        (
            (LOGO_SIDE_PIXELS - rgba_picture.width) // 2,
            (LOGO_SIDE_PIXELS - rgba_picture.height) // 2,
        ),
    )
    buffer = BytesIO()
    square.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def hash_logo(image_bytes: bytes) -> str:
    """Return a short hash of a logo for its URL."""
    return hashlib.sha256(image_bytes).hexdigest()[:12]
