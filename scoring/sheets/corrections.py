"""What was corrected after a session was closed, for anybody to read, and kept standings."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from scoring.models import Outcome, Ranking, ResultVersion, Ruling, StandingsVersion
from scoring.secrecy import hands_may_be_seen
from scoring.sheets.standings_edition import Correction, Edition
from tournaments.models import Event, Session
from tournaments.movements.words import spoken


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


def edition(event: Event) -> Edition:
    """Name the standings as they are: the version last kept, unless a session is open."""
    states = set(event.sessions.values_list("state", flat=True))
    found = log(event)
    if found.versions and Session.State.OPEN not in states:
        last = found.versions[0]
        return Edition(last.at, last.number, last.reason, found.corrections)
    at = Ranking.objects.filter(event=event).values_list("computed_at", flat=True).first()
    return Edition(at, corrections=found.corrections)


def version_fields(version: StandingsVersion) -> list[tuple[str, str, list[KeptRow]]]:
    """Lay a version out by section and field, as the standings were.

    The section is named only where there are several, as on every other page.
    """
    names = dict(version.event.entries.values_list("number", "name"))  # as they are called now
    fields: dict[tuple[str, str], list[KeptRow]] = {}
    for row in version.rows:
        named = row | {"name": names.get(row["entry"], row["name"])}
        fields.setdefault((row["section"], row["field"]), []).append(_row(named))
    several = len({section for section, _field in fields}) > 1
    return [
        (section if several else "", field, rows) for (section, field), rows in fields.items()
    ]


def _versions(event: Event) -> list[Kept]:
    rows = event.standings_versions.order_by("-number").defer("rows")
    return [Kept(row.number, row.made_at, row.told) for row in rows]


def _corrections(event: Event, since: datetime) -> list[Correction]:
    found = _results_corrected(event, since)
    rulings = Ruling.objects.filter(session__event=event).select_related(
        "result__sitting", "entry"
    )
    for ruling in rulings:
        named = {"where": _about(ruling), "kind": ruling.get_kind_display()}
        if ruling.made_at > since:
            text = _("%(where)s: %(kind)s ruled by the director") % named
            found.append(Correction(ruling.made_at, text))
        if ruling.withdrawn_at is not None and ruling.withdrawn_at > since:
            text = _("%(where)s: %(kind)s withdrawn by the director") % named
            found.append(Correction(ruling.withdrawn_at, text))
    return sorted(found, key=lambda each: each.at, reverse=True)


def _results_corrected(event: Event, since: datetime) -> list[Correction]:
    """Tell from what to what, unless the session is open again and some may still play."""
    before = ResultVersion.objects.filter(
        result=OuterRef("result"), number=OuterRef("number") - 1
    )
    entered = (
        ResultVersion.objects.filter(
            result__sitting__section__session__event=event, at__gt=since
        )
        .select_related("result__sitting__section__session")
        .annotate(
            was=Subquery(before.values("outcome")),
            was_tricks=Subquery(before.values("ns_tricks")),
        )
    )
    sessions = {row.result.sitting.section.session for row in entered}
    open_to_all = {each.pk for each in sessions if hands_may_be_seen(each)}
    found = []
    for row in entered:
        text = _("%(where)s: corrected by the director")
        if row.result.sitting.section.session_id in open_to_all:
            text = _("%(where)s: corrected by the director from %(before)s to %(after)s")
        named = {
            "where": _at(row),
            "before": _outcome(row.was or Outcome.CLEARED, row.was_tricks),
            "after": _outcome(row.outcome, row.ns_tricks),
        }
        found.append(Correction(row.at, text % named))
    return found


def _outcome(outcome: str, ns_tricks: int | None) -> str:
    if outcome == Outcome.PLAYED:
        return _("N-S %(tricks)s") % {"tricks": ns_tricks}
    return _("not played") if outcome == Outcome.NOT_PLAYED else _("no result")


def _row(row: dict[str, object]) -> KeptRow:
    percent = str(row["percent"])
    return KeptRow(
        rank=int(str(row["rank"])),
        tied=bool(row["tied"]),
        label=spoken(str(row["label"])),
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
