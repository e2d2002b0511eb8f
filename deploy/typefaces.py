"""Update the fonts in printing/typefaces: `python -m deploy.typefaces FOLDER`.

The folder has the files as published by their makers (see printing/typefaces/README.md). Source
Sans and Source Serif are copied unchanged, because their licence reserves the name. Noto's
variable fonts are reduced to the regular weight, which is half as large.
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
UNUSED_TABLES = ("DSIG", "HVAR", "MVAR", "STAT")


def renew_fonts(folder: Path) -> None:
    """Write all fonts and their checksums."""
    for name in UNCHANGED_FONTS:
        shutil.copyfile(folder / name, TYPEFACES_FOLDER / name)
    for script in NOTO_SCRIPTS:
        _write_regular(folder / f"NotoSans{script}[wght].ttf")
    CHECKSUM_FILE.write_text(list_checksums(), encoding="ascii")


def list_checksums() -> str:
    """Return the content of SHA256SUMS for the current fonts."""
    files = sorted(TYPEFACES_FOLDER.glob("*.ttf"))
    lines = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in files)
    return "".join(f"{line}\n" for line in lines)


def _write_regular(variable: Path) -> None:
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = TTFont(variable, recalcTimestamp=False)
    limits = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
    regular = instancer.instantiateVariableFont(font, limits | {"wght": 400})
    for table in UNUSED_TABLES:
        if table in regular:
            del regular[table]
    regular.save(TYPEFACES_FOLDER / variable.name.replace("[wght]", "-Regular"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m deploy.typefaces FOLDER")
    renew_fonts(Path(sys.argv[1]))
