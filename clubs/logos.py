"""A club's picture: what was sent is read, measured and drawn anew, so nothing else gets in."""

import hashlib
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, UnidentifiedImageError

from clubs.errors import LogoRefused

FORMATS = ("PNG", "JPEG", "WEBP")
MOST_BYTES = 2 * 1024 * 1024
LONGEST = 4_000  # pixels of a side
DRAWN = 96  # pixels: three times the 32 that pages show, for sharp screens


def drawn_anew(sent: bytes) -> bytes:
    """Return a picture as a small PNG; raise LogoRefused with the limit that it breaks."""
    if len(sent) > MOST_BYTES:
        raise LogoRefused(_("The picture is larger than 2 MB. Send a smaller one."))
    try:
        with Image.open(BytesIO(sent), formats=FORMATS) as picture:
            if max(picture.size) > LONGEST:
                raise LogoRefused(
                    _("The picture has %(long)s pixels on a side; %(most)s are the most.")
                    % {"long": max(picture.size), "most": LONGEST}
                )
            return _small(picture)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as broken:
        raise LogoRefused(_("Send the logo as a PNG, JPEG or WebP picture.")) from broken


def _small(picture: Image.Image) -> bytes:
    """Fit a picture into the square, on nothing, without what else its file held."""
    drawn = picture.convert("RGBA")
    drawn.thumbnail((DRAWN, DRAWN))
    square = Image.new("RGBA", (DRAWN, DRAWN))
    square.paste(drawn, ((DRAWN - drawn.width) // 2, (DRAWN - drawn.height) // 2))
    written = BytesIO()
    square.save(written, "PNG", optimize=True)
    return written.getvalue()


def mark_of(image: bytes) -> str:
    """Name a picture by what is in it."""
    return hashlib.sha256(image).hexdigest()[:12]
