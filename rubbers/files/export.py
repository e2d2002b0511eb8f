"""Export of a rubber night as a file that can be imported and continued elsewhere."""

from typing import Any

from django.utils.translation import gettext as _

from clubs.activities.secrecy import format_full_name
from clubs.errors import NotNow
from rubbers.files.night_file import FORMAT, VERSION, build_standings
from rubbers.snapshot import NightSnapshot, TableSnapshot


def export_night(snapshot: NightSnapshot, *, with_secret: bool = True) -> dict[str, Any]:
    """Return a night's file; the secret of an open night is included only where `with_secret`.

    Raises NotNow for the rubbers of a drive, since the drive's own file has its scores.
    """
    row = snapshot.row
    if row.drive is not None:
        raise NotNow(_("These rubbers are part of a drive. The drive’s file has their points."))
    includes_secret = with_secret or row.is_closed
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
        "tables": [_build_table(table) for table in snapshot.tables.values()],
        "standing": build_standings(snapshot.standings),
        "commitment": row.commitment,
        "secret": (bytes(row.secret or b"").hex() or None) if includes_secret else None,
    }


def _build_table(table: TableSnapshot) -> dict[str, Any]:
    return {
        "table": table.row.number,
        "members": [
            {
                "number": int(member.player),
                "since": member.first_spell,
                "until": member.last_spell,
            }
            for member in table.night.members
        ],
        "spells": [
            {
                "seats": spell.seats,
                "dealer": spell.dealer,
                "cuts": spell.cuts,
                "substitutes": spell.substitutes,
                "hands": list(hands_data),
            }
            for spell, hands_data in zip(table.spells, table.stored_hands, strict=True)
        ],
    }
