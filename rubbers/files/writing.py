"""Export of a rubber night as a file that can be imported and continued elsewhere."""

from typing import Any

from django.utils.translation import gettext as _

from clubs.activities.secrecy import full
from clubs.errors import NotNow
from rubbers.files.night_file import FORMAT, VERSION, standing_data
from rubbers.held import HeldNight, HeldTable


def written_night(held: HeldNight, *, sealed: bool = True) -> dict[str, Any]:
    """Return a night's file; the secret of an open night is included only where `sealed`.

    Raises NotNow for the rubbers of a drive, since the drive's own file has its scores.
    """
    row = held.row
    if row.drive is not None:
        raise NotNow(_("These rubbers are a drive’s: its own file has their points."))
    tells = sealed or row.is_closed
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
            {"number": number, "name": full(each)} for number, each in held.people.items()
        ],
        "tables": [_table(table) for table in held.tables.values()],
        "standing": standing_data(held.standing),
        "commitment": row.commitment,
        "secret": (bytes(row.secret or b"").hex() or None) if tells else None,
    }


def _table(table: HeldTable) -> dict[str, Any]:
    return {
        "table": table.row.number,
        "members": [
            {"number": int(each.player), "since": each.since, "until": each.until}
            for each in table.night.members
        ],
        "spells": [
            {
                "seats": spell.seats,
                "dealer": spell.dealer,
                "cuts": spell.cuts,
                "substitutes": spell.substitutes,
                "hands": list(told),
            }
            for spell, told in zip(table.spells, table.told, strict=True)
        ],
    }
