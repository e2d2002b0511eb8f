"""Exports a rubber night as a file that another server can import, e.g. to continue it."""

from typing import Any

from django.utils.translation import gettext as _

from clubs.activities.secrecy import format_full_name
from clubs.errors import ActionUnavailable
from rubbers.files.night_file import FORMAT, VERSION, build_standings_data
from rubbers.snapshot import NightSnapshot, TableSnapshot


def export_night(
    snapshot: NightSnapshot, *, should_include_secret: bool = True
) -> dict[str, Any]:
    """Return the content of a night's file.

    The secret of an open night is included only if `should_include_secret` is true. Raises
    ActionUnavailable for the rubbers of a drive, because the drive file contains them.
    """
    night = snapshot.row
    if night.drive is not None:
        raise ActionUnavailable(
            _("These rubbers are part of a drive. The drive’s file has their points.")
        )
    includes_secret = should_include_secret or night.is_closed
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": night.name,
        "date": night.date.isoformat(),
        "uid": str(night.uid),
        "revision": night.revision,
        "code": night.code,
        "terms": night.terms,
        "state": night.state,
        "paper": night.paper_size,
        "players": [
            {"number": player_number, "name": format_full_name(player)}
            for player_number, player in snapshot.players.items()
        ],
        "tables": [_build_table_data(table) for table in snapshot.tables.values()],
        "standing": build_standings_data(snapshot.standings),
        "commitment": night.commitment,
        "secret": (bytes(night.secret or b"").hex() or None) if includes_secret else None,
    }


def _build_table_data(table_snapshot: TableSnapshot) -> dict[str, Any]:
    return {
        "table": table_snapshot.row.number,
        "members": [
            {
                "number": int(member.player_key),
                "since": member.first_spell_number,
                "until": member.last_spell_number,
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
