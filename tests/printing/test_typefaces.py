"""The fonts of the repository: complete, licensed, and with all needed characters."""

import hashlib
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from deploy import typefaces
from printing import fonts

TYPEFACES_FOLDER = typefaces.TYPEFACES_FOLDER
FONT_FILES = sorted(TYPEFACES_FOLDER.glob("*.ttf"))


def test_each_font_matches_its_checksum() -> None:
    assert typefaces.CHECKSUM_FILE.read_text("ascii") == typefaces.list_checksums()
    assert len(FONT_FILES) == len(typefaces.UNCHANGED_FONTS) + len(typefaces.NOTO_SCRIPTS)


@pytest.mark.parametrize("path", FONT_FILES, ids=lambda path: path.stem)
def test_each_font_is_open_and_embeddable_in_papers(path: Path) -> None:
    font = TTFont(path)
    name_table = font["name"]
    assert "SIL Open Font License" in name_table.getDebugName(13)
    assert "glyf" in font  # ReportLab embeds TrueType outlines only
    assert "fvar" not in font
    assert font["OS/2"].fsType == 0  # embedding is not restricted
    family = "Noto" if path.stem.startswith("Noto") else path.stem.split("Pro")[0]
    licence = (TYPEFACES_FOLDER / f"OFL-{family}.txt").read_text("ascii")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    if family != "Noto":
        assert "Reserved Font Name 'Source'" in licence


def test_font_with_reserved_name_is_the_unmodified_original() -> None:
    """Compare with Git's hash of SourceSansPro-Regular.ttf in the maker's repository."""
    content = (TYPEFACES_FOLDER / "SourceSansPro-Regular.ttf").read_bytes()
    git_blob = b"blob %d\0" % len(content) + content
    digest = hashlib.sha1(git_blob, usedforsecurity=False).hexdigest()
    assert digest == "44486cdc6702b42d1ed03b02779d6f47520a0e4e"


def test_every_font_used_by_papers_exists() -> None:
    assert {fonts.get_font_path(font_name) for font_name in fonts._FILE_NAMES} <= {
        str(path) for path in FONT_FILES
    }
