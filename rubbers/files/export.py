"""Export of a rubber night as a file that can be imported and continued elsewhere."""

from typing import Any

from django.utils.translation import gettext as _

from clubs.activities.secrecy import format_full_name
from clubs.errors import NotNow
from rubbers.files.night_file import FORMAT, VERSION, build_standings
from rubbers.snapshot import NightSnapshot, TableSnapshot


def export_night(
    snapshot: NightSnapshot, *, should_include_secret: bool = True
) -> dict[str, Any]:
    """Return the data of a night's file.

    The secret of an open night is included only if `should_include_secret` is true. Raises
    NotNow for the rubbers of a drive, which are exported in the drive's file.
    """
    row = snapshot.row
    if row.drive is not None:
        raise NotNow(_("These rubbers are part of a drive. The drive’s file has their points."))
    includes_secret = should_include_secret or row.is_closed
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": row.name,
        "date": row.date.isoformat(),
        "uid": str(row.uid),
        "revision": row.revision,
        "code": row.code,
        "terms": row.terms,
        "state": row.state,
        "paper": row.paper_size,
        "players": [
            {"number": number, "name": format_full_name(player)}
            for number, player in snapshot.players.items()
        ],
        "tables": [_build_table_data(table) for table in snapshot.tables.values()],
        "standing": build_standings(snapshot.standings),
        "commitment": row.commitment,
        "secret": (bytes(row.secret or b"").hex() or None) if includes_secret else None,
    }


def _build_table_data(table_snapshot: TableSnapshot) -> dict[str, Any]:
    return {
        "table": table_snapshot.row.number,
        "members": [
            {
                "number": int(member.player),
                "since": member.first_spell,
                "until": member.last_spell,
            }
            for member in table_snapshot.night.members
        ],
        "spells": [
            {
                "seats": spell.seats,
                "dealer": spell.dealer,
                "cuts": spell.cuts,
                "substitutes": spell.substitutes,
                "hands": list(hands_data),
            }
            for spell, hands_data in zip(
                table_snapshot.spells, table_snapshot.stored_hands, strict=True
            )
        ],
    }
