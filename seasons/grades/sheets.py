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


def format_tenths(tricks: float | None, *, has_sign: bool = True) -> str:
    """Format a number of tricks with one decimal, for example as +1.3, −0.4 or 0.0."""
    if tricks is None:
        return "–"
    text = formats.number_format(f"{abs(tricks):.1f}", 1)
    is_zero = f"{abs(tricks):.1f}" == "0.0"
    if not has_sign or is_zero:
        return text
    return f"+{text}" if tricks > 0 else f"−{text}"


@dataclass(frozen=True, slots=True)
class GradeText:
    """A grade as text: tricks relative to the club's mean over 24 boards, with its range."""

    grade: str
    range: str
    word: str

    @property
    def is_known(self) -> bool:
        """Whether the person has a grade."""
        return bool(self.range)


@dataclass(frozen=True, slots=True)
class GradeStepView:
    """The effect of one evening on a person's grade, as pages show it.

    The step includes the expected and the actual result (`made`), and the grades before and
    after the evening.
    """

    row: GradeStep
    previous_value: float | None
    event: Event
    partner: str
    expected: str
    expected_range: str
    made: str
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
    boards: int
    tricks_above: Fraction


@dataclass(frozen=True, slots=True)
class ConstantsView:
    """The constants of a club's grades as pages show them, with their date and reason."""

    s0: float
    tau: float
    q: float
    since: datetime | None
    cause: str
    evenings: int
    is_default: bool


def build_grade_section(player: Player) -> dict[str, object] | None:
    """Return the grade section of a person's own page; None if the club has no grades.

    The section contains the person's grade, and the grades of others that the person may see.
    """
    book = get_grade_book(player.club_id)
    if book is None:
        return None
    own_grades = book.grades.filter(player=player).select_related("partner")
    own_grade = own_grades.first()
    return {
        "own": own_grade,
        "grade_text": format_grade(own_grade),
        "others": [
            (grade, format_grade(grade)) for grade in query_grades_for_member(player, book)
        ],
        "made_at": book.made_at,
        "behind": may_grades_be_outdated(book),
        "hidden": HiddenGrade.objects.filter(player=player).exists(),
        "seen": book.seen,
    }


def format_grade(grade: Grade | GradeStep | None) -> GradeText:
    """Format a grade as text; an unknown grade becomes "–"."""
    if grade is None or grade.shown is None:
        return GradeText("–", "", "")
    return GradeText(
        format_tenths(grade.shown), format_tenths(grade.range, has_sign=False), grade.word
    )


def load_constants_view(book: GradeBook) -> ConstantsView:
    """Return the constants that a club uses; the defaults if no fit is finished."""
    last_fit = book.constants.exclude(done_at=None).last()
    return ConstantsView(
        s0=book.s0,
        tau=book.tau,
        q=book.q,
        since=last_fit.done_at if last_fit else None,
        cause=str(GradeConstants.FitCause(last_fit.cause).label) if last_fit else "",
        evenings=last_fit.evenings if last_fit else 0,
        is_default=last_fit is None
        or (last_fit.gain is None and last_fit.cause != last_fit.FitCause.OWNER_CHOICE),
    )


def load_grade_steps(player: Player, *, is_public_view: bool = False) -> list[GradeStepView]:
    """Return the effect of each listed event on a person's grade, the newest first.

    With `is_public_view`, the grade of a pair is removed if the partner does not show it.
    """
    steps = _load_current_steps(player)
    if is_public_view:
        steps = [step if is_step_public(step) else _clear_grade(step) for step in steps]
    step_views, previous_step = [], None
    for step in steps:
        step_views.append(_build_step_view(step, previous_step))
        previous_step = step
    return step_views[::-1]


def find_grade_step(
    player: Player, event_slug: str, *, is_public_view: bool = False
) -> GradeStepView | None:
    """Return the effect of one event on a person's grade, or None."""
    steps = load_grade_steps(player, is_public_view=is_public_view)
    return next((step for step in steps if step.event.slug == event_slug), None)


def build_grade_chart(steps: Sequence[GradeStepView]) -> ColumnChart | None:
    """Return the chart of a person's grades after the newest evenings, or None."""
    return draw_column_chart(
        [
            _build_chart_column(step)
            for step in reversed(steps[:MAX_CHART_EVENINGS])
            if step.new_grade.is_known
        ]
    )


def list_opponents(player: Player, event: Event) -> list[Opponent]:
    """Return a person's opponents in an event; those met on the most boards come first."""
    own_entry_keys = set(
        Entry.objects.filter(event=event, players=player).values_list("pk", flat=True)
    )
    values_by_opponents: dict[tuple[int, ...], list[Fraction]] = defaultdict(list)
    for _event, plays in iter_plays_by_board([event.pk]):
        if len(plays) < 2:
            continue
        mean = Fraction(sum(play.ns_tricks for play in plays), len(plays))
        for play in plays:
            for own_entries, opposing_entries, direction_sign in _list_sides_with_opponents(
                play
            ):
                if own_entry_keys & set(own_entries):
                    values_by_opponents[opposing_entries].append(
                        direction_sign * (play.ns_tricks - mean)
                    )
    names_by_entry = _load_entry_names(
        {entry_key for key in values_by_opponents for entry_key in key}
    )
    opponents = [
        Opponent(
            " & ".join(names_by_entry[entry_key] for entry_key in opposing_entries),
            len(tricks),
            sum(tricks, Fraction()),
        )
        for opposing_entries, tricks in values_by_opponents.items()
    ]
    return sorted(opponents, key=lambda opponent: (-opponent.boards, opponent.name))


def _list_sides_with_opponents(
    play: PlayedBoard,
) -> Iterable[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Return (own entries, opposing entries, sign) for N-S and for E-W.

    The sign is 1 for N-S and −1 for E-W. It converts an N-S result to a result of the side.
    """
    ns, ew = (
        tuple(dict.fromkeys(entry for entry in side if entry is not None))
        for side in ((play.north, play.south), (play.east, play.west))
    )
    return (ns, ew, 1), (ew, ns, -1)


def _load_entry_names(entry_keys: set[int]) -> dict[int, str]:
    entry_players = EntryPlayer.objects.filter(entry__in=entry_keys).order_by("entry", "order")
    names_by_entry: dict[int, list[str]] = defaultdict(list)
    for entry_player in entry_players.select_related("player"):
        names_by_entry[entry_player.entry_id].append(entry_player.player.shown_name)
    return {entry_key: " & ".join(names) for entry_key, names in names_by_entry.items()}


def _load_current_steps(player: Player) -> list[GradeStep]:
    events = Event.objects.filter(club=player.club_id).public()
    book = get_grade_book(player.club_id)
    steps = GradeStep.objects.filter(book=book, player=player, event__in=events)
    newest_steps: dict[int, GradeStep] = {}
    for step in steps.select_related("event", "partner__hidden_grade", "because").order_by(
        "pk"
    ):
        newest_steps[step.event_id] = step
    current_steps = [step for step in newest_steps.values() if step.boards]
    return sorted(current_steps, key=lambda step: (step.event.date, step.event.slug))


def _clear_grade(step: GradeStep) -> GradeStep:
    """Remove the shown grade from a step; the changed object must not be saved."""
    step.shown = step.range = None
    step.word, step.is_pair = "", False
    return step


def _build_step_view(step: GradeStep, previous_step: GradeStep | None) -> GradeStepView:
    is_changed = step.why != RecomputationReason.PLAYED
    return GradeStepView(
        row=step,
        previous_value=previous_step.shown if previous_step else None,
        event=step.event,
        partner=step.partner.shown_name if step.partner else "",
        expected=format_tenths(step.expected),
        expected_range=format_tenths(
            None if step.expected_sd is None else RANGE_STANDARD_DEVIATIONS * step.expected_sd,
            has_sign=False,
        ),
        made=format_tenths(step.made),
        old_grade=format_grade(previous_step),
        new_grade=format_grade(step),
        reason=str(RecomputationReason(step.why).label) if is_changed else "",
        changed_event_name=step.because.name if is_changed and step.because else "",
    )


def _build_chart_column(step: GradeStepView) -> tuple[str, Fraction, str]:
    day = format_date(step.event.date, "SHORT_DATE")
    description = f"{day}, {step.event.name}: {step.new_grade.grade} ± {step.new_grade.range}"
    grade = Fraction(round(10 * (step.row.shown or 0.0)), 10)
    return format_date(step.event.date, "SHORT_MONTH"), grade, description


def build_club_grades_data(club: Club, *, is_for_each_evening: bool = False) -> dict[str, Any]:
    """Compute a club's grades from its first event, in the format of a grades file.

    The data contains full names.
    """
    book = GradeBook.objects.filter(club=club).first() or GradeBook(club=club)
    constants = GradeModelConstants(book.s0, book.tau, book.q)
    constants_sheet = load_constants_view(book) if book.pk else None
    data = build_grades_data(
        constants,
        list(iter_graded_evenings(list_graded_events(club))),
        is_for_each_evening=is_for_each_evening,
    )
    names_by_key = {str(pk): name for pk, name in club.players.values_list("pk", "name")}
    for evening in data["evenings"]:
        players_by_name = {
            names_by_key.get(player_key, player_key): grade_data
            for player_key, grade_data in evening["players"].items()
        }
        evening["players"] = dict(sorted(players_by_name.items()))
    return {
        "constants": {
            "s0": book.s0,
            "tau": book.tau,
            "q": book.q,
            "since": constants_sheet.since.isoformat()
            if constants_sheet and constants_sheet.since
            else None,
            "why": constants_sheet.cause if constants_sheet else "",
        },
        **data,
    }
