"""Update the fonts in printing/typefaces: `python -m deploy.typefaces FOLDER`.

FOLDER has the fonts as published (see printing/typefaces/README.md). Source Sans and Source
Serif are copied unchanged, because the licence forbids changed fonts with these names. Noto's
variable fonts are reduced to the regular weight, which halves their size.
"""

import hashlib
import shutil
import sys
from pathlib import Path

TYPEFACES_FOLDER = Path(__file__).resolve().parents[1] / "printing" / "typefaces"
CHECKSUM_FILE = TYPEFACES_FOLDER / "SHA256SUMS"
UNCHANGED_FONTS = (
    *("SourceSansPro-Regular.ttf", "SourceSansPro-Semibold.ttf", "SourceSansPro-Bold.ttf"),
    *("SourceSerifPro-Semibold.ttf", "SourceSerifPro-Bold.ttf"),
)
NOTO_SCRIPTS = (
    "",
    "Arabic",
    "Armenian",
    "Ethiopic",
    "Georgian",
    "Hebrew",
    "Lao",
    "Symbols",
    "Thai",
)
UNUSED_FONT_TABLES = ("DSIG", "HVAR", "MVAR", "STAT")


def update_fonts(folder: Path) -> None:
    """Write all fonts and their checksums."""
    for file_name in UNCHANGED_FONTS:
        shutil.copyfile(folder / file_name, TYPEFACES_FOLDER / file_name)
    for script in NOTO_SCRIPTS:
        _write_regular_weight(folder / f"NotoSans{script}[wght].ttf")
    CHECKSUM_FILE.write_text(list_checksums(), encoding="ascii")


def list_checksums() -> str:
    """Return the content of SHA256SUMS for the current fonts."""
    font_paths = sorted(TYPEFACES_FOLDER.glob("*.ttf"))
    checksum_lines = (
        f"{hashlib.sha256(font_path.read_bytes()).hexdigest()}  {font_path.name}"
        for font_path in font_paths
    )
    return "".join(f"{line}\n" for line in checksum_lines)


def _write_regular_weight(variable_font_path: Path) -> None:
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = TTFont(variable_font_path, recalcTimestamp=False)
    axis_values = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
    regular_font = instancer.instantiateVariableFont(font, axis_values | {"wght": 400})
    for table_tag in UNUSED_FONT_TABLES:
        if table_tag in regular_font:
            del regular_font[table_tag]
    regular_font.save(TYPEFACES_FOLDER / variable_font_path.name.replace("[wght]", "-Regular"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m deploy.typefaces FOLDER")
    update_fonts(Path(sys.argv[1]))
