"""The packages of the program in dependency order, as `docs/architecture.md` lists them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOM_ROW_PATTERN = re.compile(r"^\| (\d) \| `(\w+)` \|[^|]*\| ([^|]*) \|", re.MULTILINE)


def read_allowed_imports() -> dict[str, frozenset[str]]:
    """Read from the document which packages each package may import, the lowest first."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = sorted(ROOM_ROW_PATTERN.findall(page))
    return {
        room: frozenset(re.findall(r"`(\w+)`", allowed_imports))
        for _level, room, allowed_imports in rows
    }


def read_season_features() -> list[str]:
    """Read the folders of `seasons` from the document; each imports only those before it."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^`calendar` ← .*$", page, re.MULTILINE)
    return re.findall(r"`(\w+)`", line)


ROOMS = tuple(read_allowed_imports())
"""Every package but `config`, which joins them."""
PROGRAM = (*ROOMS, "config")
