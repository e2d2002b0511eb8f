"""The content of a club's grades for pages, the API and grades files."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils import formats

from clubs.models import Club, Player
from scoring.drawing.column_chart import ColumnChart, draw_column_chart
from seasons.grades.club_plays import (
    iter_graded_evenings,
    list_graded_events,
    may_grades_be_outdated,
)
from seasons.grades.compared_boards import PlayedBoard, iter_plays_by_board
from seasons.grades.grades_file import build_grades_data
from seasons.grades.models import (
    Grade,
    GradeBook,
    GradeConstants,
    GradeStep,
    HiddenGrade,
    RecomputationReason,
)
from seasons.grades.rating import GradeModelConstants
from seasons.grades.rating.shown_grades import RANGE_STANDARD_DEVIATIONS
from seasons.grades.visibility import get_grade_book, is_step_public, query_grades_for_member
from server.dates import format_date
from tournaments.models import Entry, EntryPlayer, Event

MAX_CHART_EVENINGS = 40
"""The maximum number of evenings in the chart of a person's grade; the newest are shown."""


def format_tricks_to_one_decimal(tricks: float | None, *, has_sign: bool = True) -> str:
    """Format a number of tricks with one decimal, for example as +1.3, −0.4 or 0.0."""
    if tricks is None:
        return "–"
    number_text = formats.number_format(f"{abs(tricks):.1f}", 1)
    is_zero = f"{abs(tricks):.1f}" == "0.0"
    if not has_sign or is_zero:
        return number_text
    return f"+{number_text}" if tricks > 0 else f"−{number_text}"


@dataclass(frozen=True, slots=True)
class GradeText:
    """A grade as text: tricks relative to the club's mean over 24 boards, with its range."""

    grade: str
    range: str
    reliability_word: str

    @property
    def is_known(self) -> bool:
        """Whether the person has a grade."""
        return bool(self.range)


@dataclass(frozen=True, slots=True)
class GradeStepDetails:
    """The effect of one evening on a person's grade, as pages show it.

    The step includes the expected and the actual result, and the grades before and after the
    evening.
    """

    row: GradeStep
    previous_value: float | None
    event: Event
    partner: str
    expected_result: str
    expected_range: str
    actual_result: str
    old_grade: GradeText
    new_grade: GradeText
    reason: str  # the reason for a recomputation; "" if there was none
    changed_event_name: str

    @property
    def is_corrected(self) -> bool:
        """Whether the step has changed because results of its own evening were corrected.

        All other reasons for a recomputation affect many evenings.
        """
        return self.row.why in (
            RecomputationReason.CORRECTED,
            RecomputationReason.PLAYER_CHANGED,
        )


@dataclass(frozen=True, slots=True)
class Opponent:
    """A pair or person that someone played against, with the result on these boards."""

    name: str
    board_count: int
    tricks_above_average: Fraction


@dataclass(frozen=True, slots=True)
class ConstantsSheet:
    """The constants of a club's grades as pages show them, with their date and reason."""

    s0: float
    tau: float
    q: float
    since: datetime | None
    cause: str
    evening_count: int
    is_default: bool


def build_grade_section(player: Player) -> dict[str, object] | None:
    """Return the grade section of a person's own page; None if the club has no grades.

    The section contains the person's grade, and the grades of others that the person may see.
    """
    grade_book = get_grade_book(player.club_id)
    if grade_book is None:
        return None
    own_grades = grade_book.grades.filter(player=player).select_related("partner")
    own_grade = own_grades.first()
    return {
        "own": own_grade,
        "grade_text": format_grade(own_grade),
        "others": [
            (grade, format_grade(grade))
            for grade in query_grades_for_member(player, grade_book)
        ],
        "made_at": grade_book.made_at,
        "behind": may_grades_be_outdated(grade_book),
        "hidden": HiddenGrade.objects.filter(player=player).exists(),
        "seen": grade_book.seen,
    }


def format_grade(grade: Grade | GradeStep | None) -> GradeText:
    """Format a grade as text; an unknown grade becomes "–"."""
    if grade is None or grade.shown is None:
        return GradeText("–", "", "")
    return GradeText(
        format_tricks_to_one_decimal(grade.shown),
        format_tricks_to_one_decimal(grade.range, has_sign=False),
        grade.word,
    )


def load_constants_sheet(grade_book: GradeBook) -> ConstantsSheet:
    """Return the constants that a club uses; the defaults if no fit is finished."""
    last_fit = grade_book.constants.exclude(done_at=None).last()
    return ConstantsSheet(
        s0=grade_book.s0,
        tau=grade_book.tau,
        q=grade_book.q,
        since=last_fit.done_at if last_fit else None,
        cause=str(GradeConstants.FitCause(last_fit.cause).label) if last_fit else "",
        evening_count=last_fit.evenings if last_fit else 0,
        is_default=last_fit is None
        or (last_fit.gain is None and last_fit.cause != last_fit.FitCause.OWNER_CHOICE),
    )


def load_grade_steps(player: Player, *, is_public_view: bool = False) -> list[GradeStepDetails]:
    """Return the effect of each listed event on a person's grade, the newest first.

    With `is_public_view`, the grade of a pair is removed if the partner does not show it.
    """
    grade_steps = _load_current_steps(player)
    if is_public_view:
        grade_steps = [
            grade_step if is_step_public(grade_step) else _clear_grade(grade_step)
            for grade_step in grade_steps
        ]
    step_details, previous_step = [], None
    for grade_step in grade_steps:
        step_details.append(_build_step_details(grade_step, previous_step))
        previous_step = grade_step
    return step_details[::-1]


def find_grade_step(
    player: Player, event_slug: str, *, is_public_view: bool = False
) -> GradeStepDetails | None:
    """Return the effect of one event on a person's grade, or None."""
    grade_steps = load_grade_steps(player, is_public_view=is_public_view)
    return next(
        (grade_step for grade_step in grade_steps if grade_step.event.slug == event_slug), None
    )


def build_grade_chart(grade_steps: Sequence[GradeStepDetails]) -> ColumnChart | None:
    """Return the chart of a person's grades after the newest evenings, or None."""
    return draw_column_chart(
        [
            _build_chart_column(grade_step)
            for grade_step in reversed(grade_steps[:MAX_CHART_EVENINGS])
            if grade_step.new_grade.is_known
        ]
    )


def list_opponents(player: Player, event: Event) -> list[Opponent]:
    """Return a person's opponents in an event; those met on the most boards come first."""
    own_entry_pks = set(
        Entry.objects.filter(event=event, players=player).values_list("pk", flat=True)
    )
    values_by_opponents: dict[tuple[int, ...], list[Fraction]] = defaultdict(list)
    for _event, plays in iter_plays_by_board([event.pk]):
        if len(plays) < 2:
            continue
        mean = Fraction(sum(play.ns_tricks for play in plays), len(plays))
        for play in plays:
            for (
                side_entry_pks,
                opposing_entry_pks,
                direction_sign,
            ) in _list_sides_with_opponents(play):
                if own_entry_pks & set(side_entry_pks):
                    values_by_opponents[opposing_entry_pks].append(
                        direction_sign * (play.ns_tricks - mean)
                    )
    names_by_entry = _load_entry_names(
        {entry_pk for entry_pks in values_by_opponents for entry_pk in entry_pks}
    )
    opponents = [
        Opponent(
            " & ".join(names_by_entry[entry_pk] for entry_pk in opposing_entry_pks),
            len(tricks),
            sum(tricks, Fraction()),
        )
        for opposing_entry_pks, tricks in values_by_opponents.items()
    ]
    return sorted(opponents, key=lambda opponent: (-opponent.board_count, opponent.name))


def _list_sides_with_opponents(
    play: PlayedBoard,
) -> Iterable[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Return (own entries, opposing entries, sign) for N-S and for E-W.

    The sign is 1 for N-S and −1 for E-W. It converts an N-S result to a result of the side.
    """
    ns_entry_pks, ew_entry_pks = (
        tuple(dict.fromkeys(entry_pk for entry_pk in seat_entry_pks if entry_pk is not None))
        for seat_entry_pks in (
            (play.north_entry_pk, play.south_entry_pk),
            (play.east_entry_pk, play.west_entry_pk),
        )
    )
    return (ns_entry_pks, ew_entry_pks, 1), (ew_entry_pks, ns_entry_pks, -1)


def _load_entry_names(entry_pks: set[int]) -> dict[int, str]:
    entry_players = EntryPlayer.objects.filter(entry__in=entry_pks).order_by("entry", "order")
    names_by_entry: dict[int, list[str]] = defaultdict(list)
    for entry_player in entry_players.select_related("player"):
        names_by_entry[entry_player.entry_id].append(entry_player.player.shown_name)
    return {entry_pk: " & ".join(names) for entry_pk, names in names_by_entry.items()}


def _load_current_steps(player: Player) -> list[GradeStep]:
    events = Event.objects.filter(club=player.club_id).public()
    grade_book = get_grade_book(player.club_id)
    grade_steps = GradeStep.objects.filter(book=grade_book, player=player, event__in=events)
    newest_steps_by_event: dict[int, GradeStep] = {}
    for grade_step in grade_steps.select_related(
        "event", "partner__hidden_grade", "because"
    ).order_by("pk"):
        newest_steps_by_event[grade_step.event_id] = grade_step
    current_steps = [
        grade_step for grade_step in newest_steps_by_event.values() if grade_step.boards
    ]
    return sorted(
        current_steps, key=lambda grade_step: (grade_step.event.date, grade_step.event.slug)
    )


def _clear_grade(grade_step: GradeStep) -> GradeStep:
    """Remove the shown grade from a step; the changed object must not be saved."""
    grade_step.shown = grade_step.range = None
    grade_step.word, grade_step.is_pair = "", False
    return grade_step


def _build_step_details(
    grade_step: GradeStep, previous_step: GradeStep | None
) -> GradeStepDetails:
    is_changed = grade_step.why != RecomputationReason.PLAYED
    return GradeStepDetails(
        row=grade_step,
        previous_value=previous_step.shown if previous_step else None,
        event=grade_step.event,
        partner=grade_step.partner.shown_name if grade_step.partner else "",
        expected_result=format_tricks_to_one_decimal(grade_step.expected),
        expected_range=format_tricks_to_one_decimal(
            None
            if grade_step.expected_sd is None
            else RANGE_STANDARD_DEVIATIONS * grade_step.expected_sd,
            has_sign=False,
        ),
        actual_result=format_tricks_to_one_decimal(grade_step.made),
        old_grade=format_grade(previous_step),
        new_grade=format_grade(grade_step),
        reason=str(RecomputationReason(grade_step.why).label) if is_changed else "",
        changed_event_name=grade_step.because.name if is_changed and grade_step.because else "",
    )


def _build_chart_column(grade_step: GradeStepDetails) -> tuple[str, Fraction, str]:
    day = format_date(grade_step.event.date, "SHORT_DATE")
    new_grade = grade_step.new_grade
    description = f"{day}, {grade_step.event.name}: {new_grade.grade} ± {new_grade.range}"
    grade = Fraction(round(10 * (grade_step.row.shown or 0.0)), 10)
    return format_date(grade_step.event.date, "SHORT_MONTH"), grade, description


def build_club_grades_data(
    club: Club, *, should_include_each_evening: bool = False
) -> dict[str, Any]:
    """Compute a club's grades from its first event, in the format of a grades file.

    The data contains full names.
    """
    grade_book = GradeBook.objects.filter(club=club).first() or GradeBook(club=club)
    constants = GradeModelConstants(grade_book.s0, grade_book.tau, grade_book.q)
    constants_sheet = load_constants_sheet(grade_book) if grade_book.pk else None
    grades_data = build_grades_data(
        constants,
        list(iter_graded_evenings(list_graded_events(club))),
        should_include_each_evening=should_include_each_evening,
    )
    names_by_player_key = {str(pk): name for pk, name in club.players.values_list("pk", "name")}
    for evening in grades_data["evenings"]:
        players_by_name = {
            names_by_player_key.get(player_key, player_key): grade_data
            for player_key, grade_data in evening["players"].items()
        }
        evening["players"] = dict(sorted(players_by_name.items()))
    return {
        "constants": {
            "s0": grade_book.s0,
            "tau": grade_book.tau,
            "q": grade_book.q,
            "since": constants_sheet.since.isoformat()
            if constants_sheet and constants_sheet.since
            else None,
            "why": constants_sheet.cause if constants_sheet else "",
        },
        **grades_data,
    }
