"""What was corrected after a session was closed, for anybody to read, and kept standings."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.models import ResultVersion, Ruling, StandingsVersion
from tournaments.models import Event


@dataclass(frozen=True, slots=True)
class Correction:
    """One change after the closing: when, and what in words; nobody's login is named."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One version of the standings."""

    number: int
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class KeptRow:
    """One line of a version of the standings."""

    rank: int
    tied: bool
    label: str
    name: str
    score: Fraction
    percent: Fraction | None
    tricks: Fraction
    boards: int


@dataclass(frozen=True, slots=True)
class Log:
    """What an event's page says of its final standings: the versions and the corrections."""

    versions: tuple[Kept, ...]
    corrections: tuple[Correction, ...]


def log(event: Event) -> Log:
    """Tell what was kept, and what was corrected since the first closing, newest first."""
    kept = _versions(event)
    since = kept[-1].at if kept else None
    return Log(tuple(kept), tuple(_corrections(event, since)) if since else ())


def version_fields(version: StandingsVersion) -> list[tuple[str, str, list[KeptRow]]]:
    """Lay a version out by section and field, as the standings were."""
    names = dict(version.event.entries.values_list("number", "name"))  # as they are called now
    fields: dict[tuple[str, str], list[KeptRow]] = {}
    for row in version.rows:
        named = row | {"name": names.get(row["entry"], row["name"])}
        fields.setdefault((row["section"], row["field"]), []).append(_row(named))
    return [(section, field, rows) for (section, field), rows in fields.items()]


def _versions(event: Event) -> list[Kept]:
    rows = event.standings_versions.order_by("-number").values_list(
        "number", "made_at", "reason"
    )
    return [Kept(*row) for row in rows]


def _corrections(event: Event, since: datetime) -> list[Correction]:
    entered = ResultVersion.objects.filter(
        result__sitting__section__session__event=event, at__gt=since
    ).select_related("result__sitting")
    found = [
        Correction(row.at, _("%(where)s: corrected by the director") % {"where": _at(row)})
        for row in entered
    ]
    rulings = Ruling.objects.filter(session__event=event).select_related(
        "result__sitting", "entry"
    )
    for ruling in rulings:
        words = {"where": _about(ruling), "kind": ruling.get_kind_display()}
        if ruling.made_at > since:
            text = _("%(where)s: %(kind)s ruled by the director") % words
            found.append(Correction(ruling.made_at, text))
        if ruling.withdrawn_at is not None and ruling.withdrawn_at > since:
            text = _("%(where)s: %(kind)s withdrawn by the director") % words
            found.append(Correction(ruling.withdrawn_at, text))
    return sorted(found, key=lambda each: each.at, reverse=True)


def _row(row: dict[str, object]) -> KeptRow:
    percent = str(row["percent"])
    return KeptRow(
        rank=int(str(row["rank"])),
        tied=bool(row["tied"]),
        label=str(row["label"]),
        name=str(row["name"]),
        score=Fraction(str(row["score"])),
        percent=Fraction(percent) if percent else None,
        tricks=Fraction(str(row["tricks"])),
        boards=int(str(row["boards"])),
    )


def _at(row: ResultVersion) -> str:
    return _board(row.result.board, row.result.sitting.round, row.result.sitting.table)


def _about(ruling: Ruling) -> str:
    if ruling.result is None:
        return str(ruling.entry)
    sitting = ruling.result.sitting
    return _board(ruling.result.board, sitting.round, sitting.table)


def _board(board: int, round_: int, table: int) -> str:
    return _("Board %(board)s, round %(round)s, table %(table)s") % {
        "board": board,
        "round": round_,
        "table": table,
    }
