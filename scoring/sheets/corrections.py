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
class VersionSummary:
    """One version of the standings."""

    number: int
    stored_at: datetime
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
    score_per_board: Fraction | None = None

    @property
    def counted_boards(self) -> Fraction:
        """The number of boards by which the score is divided (see `RankRow.counted_boards`)."""
        return (
            self.score / self.score_per_board if self.score_per_board else Fraction(self.boards)
        )


@dataclass(frozen=True, slots=True)
class CorrectionLog:
    """The versions of an event's final standings, and the corrections."""

    versions: tuple[VersionSummary, ...]
    corrections: tuple[Correction, ...]


def load_correction_log(event: Event) -> CorrectionLog:
    """Load the stored versions, and the changes in each session since its first close.

    Newest first. Results of the event's next session are not corrections.
    """
    versions = _load_versions(event)
    return CorrectionLog(tuple(versions), tuple(_list_corrections(event)) if versions else ())


def load_standings_edition(event: Event) -> Edition:
    """Return the data of the last stored version of the standings, with the corrections.

    If a session is open or no version is stored, it describes the current standings instead.
    """
    states = set(event.sessions.values_list("state", flat=True))
    correction_log = load_correction_log(event)
    if correction_log.versions and Session.State.OPEN not in states:
        last_version = correction_log.versions[0]
        return Edition(
            last_version.stored_at,
            last_version.number,
            last_version.reason,
            correction_log.corrections,
        )
    computed_at = (
        Ranking.objects.filter(event=event).values_list("computed_at", flat=True).first()
    )
    return Edition(computed_at, corrections=correction_log.corrections)


def group_version_rows(version: StandingsVersion) -> list[tuple[str, str, list[VersionRow]]]:
    """Group the rows of a version by section and field, with the current names of entries.

    The section is "" if there is only one.
    """
    current_names = dict(version.event.entries.values_list("number", "name"))
    rows_by_field: dict[tuple[str, str], list[VersionRow]] = {}
    for row_data in version.rows:
        renamed_row = row_data | {
            "name": current_names.get(row_data["entry"], row_data["name"])
        }
        rows_by_field.setdefault((row_data["section"], row_data["field"]), []).append(
            _build_version_row(renamed_row)
        )
    has_several_sections = len({section_letter for section_letter, _field in rows_by_field}) > 1
    return [
        (section_letter if has_several_sections else "", field_side, version_rows)
        for (section_letter, field_side), version_rows in rows_by_field.items()
    ]


def _load_versions(event: Event) -> list[VersionSummary]:
    versions = event.standings_versions.order_by("-number").defer("rows")
    return [
        VersionSummary(version.number, version.made_at, version.change_reason_text)
        for version in versions
    ]


def _list_corrections(event: Event) -> list[Correction]:
    closing_times_by_session = load_first_closings(event)
    if not closing_times_by_session:
        return []
    letters_by_section = load_section_letters(event)
    corrections = _list_corrected_results(event, closing_times_by_session, letters_by_section)
    rulings = Ruling.objects.filter(session__event=event).select_related(
        "result__sitting", "entry"
    )
    for ruling in rulings:
        placeholders = {
            "where": _format_ruling_location(ruling, letters_by_section),
            "kind": ruling.get_kind_display(),
        }
        made_at, withdrawn_at = ruling.made_at, ruling.withdrawn_at
        was_made_after_closing = is_correction(
            closing_times_by_session, ruling.session_id, made_at
        )
        if was_made_after_closing and withdrawn_at is None:
            template = _("%(where)s: %(kind)s (director’s ruling)")
            corrections.append(Correction(made_at, template % placeholders))
        elif (
            withdrawn_at
            and not was_made_after_closing
            and is_correction(closing_times_by_session, ruling.session_id, withdrawn_at)
        ):
            template = _("%(where)s: %(kind)s withdrawn by the director")
            corrections.append(Correction(withdrawn_at, template % placeholders))
    return sorted(corrections, key=lambda correction: correction.made_at, reverse=True)


def _list_corrected_results(
    event: Event,
    closing_times_by_session: Mapping[int, datetime],
    letters_by_section: Mapping[int, str],
) -> list[Correction]:
    """List the results that differ from those at the close, each once.

    A result that was corrected and changed back is not listed. Values are left out while the
    session is open again and someone may still play the boards.
    """
    former_versions = ResultVersion.objects.filter(
        result=OuterRef("result"), number=OuterRef("number") - 1
    )
    versions_after_closing = (
        ResultVersion.objects.filter(
            result__sitting__section__session__event=event,
            at__gt=min(closing_times_by_session.values()),
        )
        .select_related("result__sitting__section__session")
        .annotate(
            was=Subquery(former_versions.values("outcome")),
            was_tricks=Subquery(former_versions.values("ns_tricks")),
            was_ns_points=Subquery(former_versions.values("ns_points")),
            was_ew_points=Subquery(former_versions.values("ew_points")),
            was_trump=Subquery(former_versions.values("trump")),
        )
        .order_by("result", "number")
    )
    correction_versions = [
        version
        for version in versions_after_closing
        if is_correction(
            closing_times_by_session, version.result.sitting.section.session_id, version.at
        )
    ]
    sessions = {version.result.sitting.section.session for version in correction_versions}
    public_session_pks = {session.pk for session in sessions if can_see_hands(session)}
    corrections = []
    for _result, versions in groupby(
        correction_versions, key=lambda version: version.result_id
    ):
        result_versions = list(versions)
        first_version, last_version = result_versions[0], result_versions[-1]
        former_text = _format_outcome(
            WrittenScore(
                first_version.was or Outcome.CLEARED,
                first_version.was_tricks,
                first_version.was_ns_points,
                first_version.was_ew_points,
            ),
            first_version.was_trump or "",
        )
        new_text = _format_outcome(last_version.written_score, last_version.trump)
        if former_text == new_text:
            continue
        template = _("%(where)s: corrected by the director")
        if last_version.result.sitting.section.session_id in public_session_pks:
            template = _("%(where)s: corrected by the director from %(before)s to %(after)s")
        location_text = _format_board(
            last_version.result.board, last_version.result.sitting, letters_by_section
        )
        placeholders = {"where": location_text, "before": former_text, "after": new_text}
        corrections.append(Correction(last_version.at, template % placeholders))
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


def _build_version_row(row_data: dict[str, object]) -> VersionRow:
    percent_text = str(row_data["percent"])
    return VersionRow(
        rank=int(str(row_data["rank"])),
        tied=bool(row_data["tied"]),
        label=format_place_for_players(str(row_data["label"])),
        name=str(row_data["name"]),
        score=Fraction(str(row_data["score"])),
        percent=Fraction(percent_text) if percent_text else None,
        tricks=Fraction(str(row_data["tricks"])),
        boards=int(str(row_data["boards"])),
        score_per_board=Fraction(str(row_data["a_board"])) if "a_board" in row_data else None,
    )


def _format_ruling_location(ruling: Ruling, letters_by_section: Mapping[int, str]) -> str:
    if ruling.result is None:
        return str(ruling.entry)
    return _format_board(ruling.result.board, ruling.result.sitting, letters_by_section)


def _format_board(
    board_number: int, sitting: Sitting, letters_by_section: Mapping[int, str]
) -> str:
    return _("Board %(board)s, round %(round)s, table %(table)s") % {
        "board": board_number,
        "round": sitting.round,
        "table": format_table(sitting.table, letters_by_section[sitting.section_id]),
    }
