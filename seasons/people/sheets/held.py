"""All that a club holds of a person, for the person: as data, and as a table."""

from typing import Any

from clubs.models import Player
from exchange.sheets import Cell, Sheet
from seasons.grades.models import HiddenGrade
from seasons.grades.sheets.grades import steps_of
from seasons.people.sheets.held_rows import KINDS, Row, held_rows
from seasons.people.sheets.own_page import own_page

KEYS = ("name", "shown", "number", "kind", "joined", "left", "email", "phone")

FIGURES = ("event", "boards", "expected", "made", "mean", "sd", "column", "grade", "range")


def held_data(player: Player) -> dict[str, Any]:
    """Gather it; of others it has only the names that everybody may see."""
    page = own_page(player)
    steps = steps_of(player)
    return {
        "format": "whist-held/1",
        "club": player.club.name,
        "person": {key: _plain(getattr(player, key)) for key in KEYS},
        "consents": [
            {"what": each.what, "given": each.given, "at": each.at.isoformat()}
            for each in player.consents.all()
        ],
        "addresses": [
            {
                "made": link.created_at.isoformat(),
                "ends": link.ends_at.isoformat() if link.ends_at else None,
                "taken_back": link.revoked_at is not None,
            }
            for link in player.links.all()
        ],
        "evenings": [
            {
                "date": each.date.isoformat(),
                "event": each.name,
                "with": each.partners,
                "rank": each.rank,
                "score": None if each.score is None else str(each.score),
                "boards": each.boards,
                "tricks_above": None if each.above is None else str(each.above),
            }
            for each in page.evenings
        ],
        "grade": [
            {
                "date": each.event.date.isoformat(),
                "event": each.event.name,
                "with": each.partner,
                "boards": each.row.boards,
                "expected": each.row.expected,
                "made": each.row.made,
                "mean": each.row.mean,
                "sd": each.row.sd,
                "column": each.row.column,
                "grade": each.row.shown,
                "range": each.row.range,
            }
            for each in steps
        ],
        "grade_hidden": HiddenGrade.objects.filter(player=player).exists(),
        **held_rows(player),
    }


def held_table(player: Player) -> Sheet:
    """The same as a table of two columns: what, and how it is written down."""
    data = held_data(player)
    rows: list[list[Cell]] = [["club", data["club"]]]
    rows += [[key, value or ""] for key, value in data["person"].items()]
    rows += [
        [f"consent: {each['what']}", f"{'yes' if each['given'] else 'no'}, {each['at']}"]
        for each in data["consents"]
    ]
    rows += [
        [f"evening {each['date']}", ", ".join(str(v) for v in list(each.values())[1:] if v)]
        for each in data["evenings"]
    ]
    rows += [
        [f"grade {each['date']}", ", ".join(f"{key} {each[key]}" for key in FIGURES)]
        for each in data["grade"]
    ]
    rows += [["grade hidden", "yes" if data["grade_hidden"] else "no"]]
    rows += [
        [kind.replace("_", " "), ", ".join(_told(each))]
        for kind in ("addresses", *KINDS)
        for each in data[kind]
    ]
    return Sheet(name="held", keys=("what", "value"), rows=rows)


def _told(row: Row) -> list[str]:
    """What a row says, without what is empty in it."""
    texts = {
        key: ", ".join(value) if isinstance(value, list) else str(value)
        for key, value in row.items()
        if value is not None
    }
    return [f"{key.replace('_', ' ')} {text}" for key, text in texts.items() if text]


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
