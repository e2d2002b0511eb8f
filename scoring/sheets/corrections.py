"""The public corrections after a session was closed, and the stored versions of standings."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import groupby

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from boards.whist import Declaration
from scoring.models import (
    Outcome,
    Ranking,
    ResultVersion,
    Ruling,
    StandingsVersion,
    WrittenScore,
)
from scoring.secrecy import can_see_hands
from scoring.sheets.standings_edition import Correction, Edition
from scoring.standings_engine.closings import is_correction, load_first_closings
from tournaments.models import Event, Session, Sitting
from tournaments.movements.formatting import format_place_for_players, format_table
from tournaments.place_labels import load_section_letters


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version of the standings."""

    number: int
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One row of a stored version of the standings."""

    rank: int
    tied: bool
    label: str
    name: str
    score: Fraction
    percent: Fraction | None
    tricks: Fraction
    boards: int
    a_board: Fraction | None = None

    @property
    def counted_boards(self) -> Fraction:
        """The number of boards by which the score is divided (see `RankRow.counted_boards`)."""
        return self.score / self.a_board if self.a_board else Fraction(self.boards)


@dataclass(frozen=True, slots=True)
class CorrectionLog:
    """The versions of an event's final standings, and the corrections."""

    versions: tuple[VersionLine, ...]
    corrections: tuple[Correction, ...]


def load_correction_log(event: Event) -> CorrectionLog:
    """Load the stored versions, and the changes in each session since its first close.

    Newest first. Results of the event's next session are not corrections.
    """
    versions = _load_versions(event)
    return CorrectionLog(tuple(versions), tuple(_list_corrections(event)) if versions else ())


def load_edition(event: Event) -> Edition:
    """Return the edition of the standings: the last version, unless a session is open."""
    states = set(event.sessions.values_list("state", flat=True))
    correction_log = load_correction_log(event)
    if correction_log.versions and Session.State.OPEN not in states:
        last = correction_log.versions[0]
        return Edition(last.at, last.number, last.reason, correction_log.corrections)
    computed_at = (
        Ranking.objects.filter(event=event).values_list("computed_at", flat=True).first()
    )
    return Edition(computed_at, corrections=correction_log.corrections)


def group_version_rows(version: StandingsVersion) -> list[tuple[str, str, list[VersionRow]]]:
    """Group the rows of a version by section and field, as in the standings.

    The section is named only if there are several, as on every other page.
    """
    names = dict(version.event.entries.values_list("number", "name"))  # current names
    fields: dict[tuple[str, str], list[VersionRow]] = {}
    for row in version.rows:
        renamed_row = row | {"name": names.get(row["entry"], row["name"])}
        fields.setdefault((row["section"], row["field"]), []).append(
            _build_version_row(renamed_row)
        )
    has_several_sections = len({section for section, _field in fields}) > 1
    return [
        (section if has_several_sections else "", field, rows)
        for (section, field), rows in fields.items()
    ]


def _load_versions(event: Event) -> list[VersionLine]:
    rows = event.standings_versions.order_by("-number").defer("rows")
    return [VersionLine(row.number, row.made_at, row.cause_text) for row in rows]


def _list_corrections(event: Event) -> list[Correction]:
    closings = load_first_closings(event)
    if not closings:
        return []
    letters = load_section_letters(event)
    corrections = _list_corrected_results(event, closings, letters)
    rulings = Ruling.objects.filter(session__event=event).select_related(
        "result__sitting", "entry"
    )
    for ruling in rulings:
        placeholders = {
            "where": _format_ruling_place(ruling, letters),
            "kind": ruling.get_kind_display(),
        }
        made_at, withdrawn_at = ruling.made_at, ruling.withdrawn_at
        is_new = is_correction(closings, ruling.session_id, made_at)
        if is_new and withdrawn_at is None:
            text = _("%(where)s: %(kind)s (director's ruling)")
            corrections.append(Correction(made_at, text % placeholders))
        elif (
            withdrawn_at
            and not is_new
            and is_correction(closings, ruling.session_id, withdrawn_at)
        ):
            text = _("%(where)s: %(kind)s withdrawn by the director")
            corrections.append(Correction(withdrawn_at, text % placeholders))
    return sorted(corrections, key=lambda correction: correction.at, reverse=True)


def _list_corrected_results(
    event: Event, closings: Mapping[int, datetime], letters: Mapping[int, str]
) -> list[Correction]:
    """List the results that differ from those at the close, each once.

    A result that was corrected and changed back is not listed. Values are left out while the
    session is open again and someone may still play the boards.
    """
    before = ResultVersion.objects.filter(
        result=OuterRef("result"), number=OuterRef("number") - 1
    )
    entered_versions = (
        ResultVersion.objects.filter(
            result__sitting__section__session__event=event, at__gt=min(closings.values())
        )
        .select_related("result__sitting__section__session")
        .annotate(
            was=Subquery(before.values("outcome")),
            was_tricks=Subquery(before.values("ns_tricks")),
            was_ns_points=Subquery(before.values("ns_points")),
            was_ew_points=Subquery(before.values("ew_points")),
            was_trump=Subquery(before.values("trump")),
        )
        .order_by("result", "number")
    )
    late_versions = [
        row
        for row in entered_versions
        if is_correction(closings, row.result.sitting.section.session_id, row.at)
    ]
    sessions = {row.result.sitting.section.session for row in late_versions}
    open_to_all = {session.pk for session in sessions if can_see_hands(session)}
    corrections = []
    for _result, versions in groupby(late_versions, key=lambda row: row.result_id):
        rows = list(versions)
        first, last = rows[0], rows[-1]
        former_text = _format_outcome(
            WrittenScore(
                first.was or Outcome.CLEARED,
                first.was_tricks,
                first.was_ns_points,
                first.was_ew_points,
            ),
            first.was_trump or "",
        )
        after = _format_outcome(last.written_score, last.trump)
        if former_text == after:
            continue
        text = _("%(where)s: corrected by the director")
        if last.result.sitting.section.session_id in open_to_all:
            text = _("%(where)s: corrected by the director from %(before)s to %(after)s")
        place_text = _format_board(last.result.board, last.result.sitting, letters)
        placeholders = {"where": place_text, "before": former_text, "after": after}
        corrections.append(Correction(last.at, text % placeholders))
    return corrections


def _format_outcome(written_score: WrittenScore, trump: str) -> str:
    if written_score.outcome != Outcome.PLAYED:
        return (
            _("not played") if written_score.outcome == Outcome.NOT_PLAYED else _("no result")
        )
    if written_score.ns_points is None:
        result_text = _("N-S %(tricks)s") % {"tricks": written_score.ns_tricks}
    else:
        result_text = _("N-S %(ns)s, E-W %(ew)s") % {
            "ns": written_score.ns_points,
            "ew": written_score.ew_points,
        }
    return f"{result_text}, {Declaration.parse(trump).word}" if trump else result_text


def _build_version_row(row: dict[str, object]) -> VersionRow:
    percent = str(row["percent"])
    return VersionRow(
        rank=int(str(row["rank"])),
        tied=bool(row["tied"]),
        label=format_place_for_players(str(row["label"])),
        name=str(row["name"]),
        score=Fraction(str(row["score"])),
        percent=Fraction(percent) if percent else None,
        tricks=Fraction(str(row["tricks"])),
        boards=int(str(row["boards"])),
        a_board=Fraction(str(row["a_board"])) if "a_board" in row else None,
    )


def _format_ruling_place(ruling: Ruling, letters: Mapping[int, str]) -> str:
    if ruling.result is None:
        return str(ruling.entry)
    return _format_board(ruling.result.board, ruling.result.sitting, letters)


def _format_board(board: int, sitting: Sitting, letters: Mapping[int, str]) -> str:
    return _("Board %(board)s, round %(round)s, table %(table)s") % {
        "board": board,
        "round": sitting.round,
        "table": format_table(sitting.table, letters[sitting.section_id]),
    }
