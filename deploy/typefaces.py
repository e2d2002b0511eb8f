"""Renew the fonts in printing/typefaces: `python -m deploy.typefaces FOLDER`.

The folder has the files as published by their makers (see printing/typefaces/README.md). Source
Sans and Source Serif are copied unchanged, because their licence reserves the name. Of Noto's
variable fonts only the regular weight is kept, half as large.
"""

import hashlib
import shutil
import sys
from pathlib import Path

TYPEFACES = Path(__file__).resolve().parents[1] / "printing" / "typefaces"
SUMS = TYPEFACES / "SHA256SUMS"
UNCHANGED = (
    *("SourceSansPro-Regular.ttf", "SourceSansPro-Semibold.ttf", "SourceSansPro-Bold.ttf"),
    *("SourceSerifPro-Semibold.ttf", "SourceSerifPro-Bold.ttf"),
)
SCRIPTS = ("", "Arabic", "Armenian", "Ethiopic", "Georgian", "Hebrew", "Lao", "Symbols", "Thai")
UNUSED_TABLES = ("DSIG", "HVAR", "MVAR", "STAT")


def renew(folder: Path) -> None:
    """Write all fonts and their checksums."""
    for name in UNCHANGED:
        shutil.copyfile(folder / name, TYPEFACES / name)
    for script in SCRIPTS:
        _write_regular(folder / f"NotoSans{script}[wght].ttf")
    SUMS.write_text(checksums(), encoding="ascii")


def checksums() -> str:
    """Return the lines of SHA256SUMS for the current fonts."""
    files = sorted(TYPEFACES.glob("*.ttf"))
    lines = (f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}" for each in files)
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
    regular.save(TYPEFACES / variable.name.replace("[wght]", "-Regular"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m deploy.typefaces FOLDER")
    renew(Path(sys.argv[1]))
