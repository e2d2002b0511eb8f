"""A club's look has one of eight accents, a short name, and a re-encoded picture."""

from io import BytesIO
from typing import Any
from zlib import compress, crc32

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

import clubs.services
from clubs import logos
from clubs.errors import InvalidAppearance, InvalidLogo
from clubs.models import Act, Club, Logo
from tests import evenings

pytestmark = pytest.mark.django_db


def build_png_claiming_size(width: int, height: int) -> bytes:
    """Build a PNG of a few bytes whose header claims the given size."""

    def build_png_chunk(chunk_type: bytes, data: bytes) -> bytes:
        checksum = crc32(chunk_type + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + chunk_type + data + checksum

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\0\0\0"
    chunks = (
        build_png_chunk(b"IHDR", head)
        + build_png_chunk(b"IDAT", compress(b""))
        + build_png_chunk(b"IEND", b"")
    )
    return b"\x89PNG\r\n\x1a\n" + chunks


def build_picture(
    width: int = 40, height: int = 20, kind: str = "PNG", **options: Any
) -> bytes:
    """Build a picture of one colour."""
    buffer = BytesIO()
    Image.new("RGB", (width, height), "red").save(buffer, kind, **options)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("size", [(1, 1), (40, 20), (20, 40), (4_000, 10)])
def test_picture_is_redrawn_small_and_square(kind: str, size: tuple[int, int]) -> None:
    picture = build_picture(*size, kind=kind)
    with Image.open(BytesIO(logos.redraw_logo(picture))) as file:
        assert (file.format, file.size) == (
            "PNG",
            (logos.LOGO_SIDE_PIXELS, logos.LOGO_SIDE_PIXELS),
        )


def test_metadata_of_a_picture_is_removed() -> None:
    picture = build_picture(kind="JPEG", comment=b"taken at 12 High Street")
    assert b"High Street" in picture
    assert b"High Street" not in logos.redraw_logo(picture)


@pytest.mark.parametrize(
    ("uploaded_bytes", "expected_message"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "PNG, JPEG or WebP"),
        (b"", "PNG, JPEG or WebP"),
        (build_picture(kind="GIF"), "PNG, JPEG or WebP"),
        (build_picture()[:40], "PNG, JPEG or WebP"),
        (build_picture(6_000, 2), "The limit is 4000"),
        (build_png_claiming_size(20_000, 20_000), "up to 4000 pixels per side"),
        (build_png_claiming_size(10_000, 10_000), "The limit is 4000"),
        (build_png_claiming_size(4_000, 4_000), "PNG, JPEG or WebP"),
        (build_picture() + b"x" * logos.MAX_LOGO_BYTES, "larger than 2 MB"),
    ],
)
def test_other_files_are_refused_with_the_limit(
    uploaded_bytes: bytes, expected_message: str
) -> None:
    with pytest.raises(InvalidLogo, match=expected_message):
        logos.redraw_logo(uploaded_bytes)


@pytest.mark.parametrize(
    ("short_name", "accent"), [("x" * 15, "navy"), ("Riverside", "#ff0000"), ("Riverside", "")]
)
def test_unknown_colour_and_too_long_short_name_are_refused(
    short_name: str, accent: str
) -> None:
    club, user = evenings.create_club_with_director()
    with pytest.raises(InvalidAppearance):
        clubs.services.set_club_appearance(
            club=club, short_name=short_name, accent=accent, by=user
        )
    assert Club.objects.get().accent == "claret"


def test_appearance_applies_to_every_page_and_is_recorded_once(client: Any) -> None:
    session, user = evenings.open_session()
    club = session.event.club
    for _time in range(2):
        clubs.services.set_club_appearance(
            club=club, short_name=" River ", accent="teal", by=user
        )
        clubs.services.set_logo(club=club, content=build_picture(), by=user)
    assert Act.objects.filter(action__in=("club.look", "club.logo")).count() == 2
    for address in ("/", f"/events/{session.event.slug}/", "/laws/"):
        page = client.get(address).content.decode()
        assert '<body data-accent="teal">' in page
        assert '<span class="club__short" aria-hidden="true">River</span>' in page
        path = f"/logos/{Logo.objects.get().club.logo_mark}.png"
        assert f'src="{path}"' in page
    response = client.get(path)
    assert (response["Content-Type"], response.content[:4]) == ("image/png", b"\x89PNG")
    assert "immutable" in response["Cache-Control"]
    clubs.services.set_logo(club=club, content=b"", by=user)
    assert client.get(path).status_code == 404
    assert "crest__field" in client.get("/").content.decode()


def test_only_an_owner_chooses_the_look(client: Any) -> None:
    club, owner = evenings.create_club_with_director()
    form = {"club": club.slug, "short_name": "River", "accent": "plum"}
    change = "/director/club/look/change/"
    client.force_login(evenings.create_scorer(club))
    assert client.post(change, form).status_code in (403, 404)
    client.force_login(owner)
    assert 'value="plum"' in client.get("/director/club/look/").content.decode()
    file = SimpleUploadedFile("logo.png", build_picture(), content_type="image/png")
    response = client.post(change, form | {"logo": file}, follow=True)
    assert "Appearance saved for" in response.content.decode()
    stored_club = Club.objects.get()
    assert (stored_club.short_name, stored_club.accent, bool(stored_club.logo_mark)) == (
        "River",
        "plum",
        True,
    )
    svg = SimpleUploadedFile("logo.svg", b"<svg/>", content_type="image/svg+xml")
    rejected_response = client.post(change, form | {"logo": svg}, follow=True)
    assert "PNG, JPEG or WebP" in rejected_response.content.decode()
    assert Club.objects.get().logo_mark == stored_club.logo_mark


@pytest.mark.parametrize(
    "image_bytes",
    [
        b"\xff\xd8" + b"\xff\xda" * (logos.MAX_JPEG_SCANS + 1),
        b"\x89PNG\r\n\x1a\n" + (b"\0\0\0\0tEXt" + b"\0" * 4) * (logos.MAX_PNG_CHUNKS + 1),
    ],
)
def test_picture_with_too_many_parts_is_not_decoded(
    image_bytes: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Image, "open", lambda *_args, **_options: pytest.fail("decoded"))
    with pytest.raises(InvalidLogo):
        logos.redraw_logo(image_bytes)
