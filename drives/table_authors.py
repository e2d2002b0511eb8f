"""The names of authors at a drive's tables: with a side only if the table has two sides."""

from clubs import audit
from clubs.audit import GuestAuthor
from drives.models import Drive
from drives.scores.rules import ScoreKind


def has_table_sides(drive: Drive) -> bool:
    """Return whether two sides score at a table, and not each player separately."""
    return bool(drive.score.get("kind") != ScoreKind.PLAYER)


def describe_table_author(stored_author: str, *, has_sides: bool) -> str:
    """Return the display name for a stored author; without sides, "table 2" for "table:2/A"."""
    author_kind, _colon, _identifier = stored_author.partition(":")
    if author_kind == GuestAuthor.Kind.TABLE and not has_sides:
        stored_author = stored_author.partition("/")[0]
    return audit.describe_author(stored_author)
