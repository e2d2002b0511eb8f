"""Recording of results; every recording also runs the plausibility check."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs import audit
from clubs.audit import Actor, Undo
from clubs.errors import EntryConflict
from scoring.doubts.open_doubts import DoubtfulResult
from scoring.errors import TricksRefused
from scoring.models import Agreement, Doubt, Outcome, Result, ResultVersion, WrittenScore
from scoring.services.locking import lock_result, lock_sessions_of_sittings
from scoring.services.recompute import enqueue_recomputation
from scoring.services.score_checks import (
    check_plausibility,
    check_play_can_be_scored,
    check_saved_results,
    get_play_key,
    load_board_groups,
    save_doubts,
)
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from server.models import User
from server.numbers import parse_whole_number
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Sitting
from tournaments.services.groundwork.revisions import increment_revisions

NOT_PLAYED_MARKS = {"-", "–", "n", "np", "x"}
POINTS_SEPARATOR_PATTERN = re.compile(r"\s*[-–:/;,]\s*|\s+")
"""The separator between the points of N-S and those of E-W."""


@dataclass(frozen=True, slots=True)
class EnteredResult:
    """The stored result of an entered score, and the query about it if it is implausible."""

    result: Result
    has_changed: bool
    doubtful_result: DoubtfulResult | None = None


@dataclass(frozen=True, slots=True)
class NewScore:
    """A score to record for a board at a table, with the fields of `record_result`."""

    sitting: Sitting
    board_number: int
    mark: str
    seen_score: str | None = None
    trump: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedScores:
    """The outcome of recording many scores: recorded results, and errors for the others."""

    recorded_results: tuple[EnteredResult, ...]
    errors: tuple[WhistError, ...]

    @property
    def changed_count(self) -> int:
        """The number of results that changed."""
        return sum(entered_result.has_changed for entered_result in self.recorded_results)


def parse_mark(
    input_text: str, *, format_location: Callable[[], str] = str, max_points: int | None = None
) -> WrittenScore:
    """Parse a scorer's input: 0 to 13, a mark for "not played", or "" to clear the result.

    In an event that counts points, the input is the points of N-S and E-W ("120-40"), each up
    to `max_points`. `format_location` returns the start of error messages ("Board 5, table
    A3").
    """
    typed_text = input_text.strip().casefold()
    if not typed_text:
        return WrittenScore(Outcome.CLEARED)
    if typed_text in NOT_PLAYED_MARKS:
        return WrittenScore(Outcome.NOT_PLAYED)
    if max_points is not None:
        return _parse_points(typed_text, format_location, max_points)
    tricks = parse_whole_number(typed_text, maximum=13)
    if tricks is not None:
        return WrittenScore(Outcome.PLAYED, tricks)
    error_prefix = f"{location}: " if (location := format_location()) else ""
    raise TricksRefused(
        _("%(lead)s“%(typed)s” isn’t a number of tricks. Enter 0–13, or - for not played.")
        % {"lead": error_prefix, "typed": input_text.strip()[:20]}
    )


def _parse_points(
    points_text: str, format_location: Callable[[], str], max_points: int
) -> WrittenScore:
    number_texts = POINTS_SEPARATOR_PATTERN.split(points_text)
    if len(number_texts) == 2:
        ns_points, ew_points = (
            parse_whole_number(number_text, maximum=max_points) for number_text in number_texts
        )
        if ns_points is not None and ew_points is not None:
            return WrittenScore(Outcome.PLAYED, ns_points=ns_points, ew_points=ew_points)
    error_prefix = f"{location}: " if (location := format_location()) else ""
    raise TricksRefused(
        _(
            "%(lead)s“%(typed)s” isn’t a score in points. Enter N-S and E-W points, e.g. "
            "120-40, each 0–%(most)s. Or enter - for not played."
        )
        % {"lead": error_prefix, "typed": points_text[:20], "most": max_points}
    )


@transaction.atomic
def record_result(
    *,
    sitting: Sitting,
    board_number: int,
    mark: str,
    seen_score: str | None,
    trump: str | None = None,
    by: Actor,
    channel: str = ResultVersion.InputChannel.GRID,
    request_key: str = "",
) -> EnteredResult:
    """Record a result; `seen_score` is the value that the scorer's screen showed ("" if none).

    `trump` is the code of the declared trumps, if the event records them (Law IV §11): S, H, D
    or C. An event that counts points also allows N, and X for doubled: "NX". "" means no
    declaration; None keeps the stored one.
    Idempotent: an equal value, or the same `request_key` again, changes nothing.
    Implausible results are marked as doubtful, even earlier ones that this one contradicts. The
    cards are used only if a director enters the result (rules D2). Raises EntryConflict if
    the stored result is not `seen_score`; `seen_score=None` skips this check.
    """
    session = lock_sessions_of_sittings([sitting.pk])[sitting.pk]
    board_group = session.find_board_group(board_number)
    snapshot = load_session_snapshot(
        session, board_group=board_group, extra_sitting_ids=[sitting.pk]
    )
    score = NewScore(sitting, board_number, mark, seen_score, trump)
    return record_result_in_snapshot(
        snapshot, score, by=by, channel=channel, request_key=request_key
    )


def record_result_in_snapshot(
    snapshot: SessionSnapshot,
    score: NewScore,
    *,
    versions: list[ResultVersion] | None = None,
    by: Actor,
    channel: str,
    request_key: str,
) -> EnteredResult:
    """Record a result like `record_result`, in a session that is locked and loaded.

    The snapshot must contain the sitting and the board group of the score. The new result is
    added to the snapshot, and its version is added to `versions` unless this is None. Must run
    in the transaction that has locked the session.
    """
    entered_result = _set_score(
        snapshot, score, versions, by=by, channel=channel, request_key=request_key
    )
    if not entered_result.has_changed:
        return entered_result
    result = entered_result.result
    snapshot.add_or_replace_result(result)
    doubtful_results_by_play, results_with_changed_doubts = check_plausibility(
        snapshot, [result], by
    )
    _save_result(result, versions, by=by, channel=channel, request_key=request_key)
    save_doubts(results_with_changed_doubts)
    _increment_session_revisions([result])
    enqueue_recomputation(snapshot.session.event)
    return replace(
        entered_result, doubtful_result=doubtful_results_by_play.get(get_play_key(result))
    )


@transaction.atomic
def record_results(
    *,
    scores: Iterable[NewScore],
    by: Actor,
    channel: str = ResultVersion.InputChannel.GRID,
    request_key: str = "",
) -> RecordedScores:
    """Record many results as `record_result` does, then check the plausibility of all.

    A rejected score is skipped, and its error is returned.
    """
    new_scores = list(scores)
    session_by_sitting = lock_sessions_of_sittings(score.sitting.pk for score in new_scores)
    snapshots = load_board_groups(
        (session_by_sitting[score.sitting.pk], score.sitting.pk, score.board_number)
        for score in new_scores
    )
    entered_results: list[EnteredResult] = []
    errors: list[WhistError] = []
    for score in new_scores:
        session = session_by_sitting[score.sitting.pk]
        snapshot = snapshots[session.pk, session.find_board_group(score.board_number)]
        try:
            entered_result = _set_score(
                snapshot, score, None, by=by, channel=channel, request_key=request_key
            )
        except WhistError as error:
            errors.append(error)
            continue
        if entered_result.has_changed:
            _save_result(
                entered_result.result, None, by=by, channel=channel, request_key=request_key
            )
            snapshot.add_or_replace_result(entered_result.result)
        entered_results.append(entered_result)
    changed_results = [
        entered_result.result
        for entered_result in entered_results
        if entered_result.has_changed
    ]
    _increment_session_revisions(changed_results)
    for event in {result.sitting.section.session.event for result in changed_results}:
        enqueue_recomputation(event)
    doubtful_results_by_play = check_saved_results(snapshots, changed_results, by)
    return RecordedScores(
        tuple(
            replace(
                entered_result,
                doubtful_result=doubtful_results_by_play.get(
                    get_play_key(entered_result.result)
                ),
            )
            for entered_result in entered_results
        ),
        tuple(errors),
    )


@transaction.atomic
def confirm_result(
    *,
    sitting: Sitting,
    board_number: int,
    seen_score: str,
    trump: str | None = None,
    by: Actor,
    action: str = "result.agreed",
    channel: str = ResultVersion.InputChannel.PHONE,
) -> EnteredResult:
    """Record that the other side confirms a result; `seen_score` is the score that they saw.

    `trump` is the code of the declaration that they saw, if the event notes one. Raises
    EntryConflict if another result has been entered.
    """
    session = lock_sessions_of_sittings([sitting.pk])[sitting.pk]
    board_group = session.find_board_group(board_number)
    snapshot = load_session_snapshot(
        session, board_group=board_group, extra_sitting_ids=[sitting.pk]
    )
    score = NewScore(sitting, board_number, seen_score, seen_score, trump)
    return confirm_result_in_snapshot(snapshot, score, by=by, action=action, channel=channel)


def confirm_result_in_snapshot(
    snapshot: SessionSnapshot,
    shown_score: NewScore,
    *,
    by: Actor,
    action: str = "result.agreed",
    channel: str = ResultVersion.InputChannel.PHONE,
) -> EnteredResult:
    """Record a confirmation like `confirm_result`, in a session that is locked and loaded.

    `shown_score` was shown to the other side. The transaction must have locked the session.
    """
    session, board_number = snapshot.session, shown_score.board_number
    table, sitting = _find_table_and_sitting(snapshot, shown_score)
    check_play_can_be_scored(table, session, board_number, by)
    result = snapshot.find_current_result(sitting, board_number)
    has_changed = result.mark != _normalise_seen_score(shown_score.mark, session.event)
    if has_changed or shown_score.trump not in (None, result.trump) or not result.mark:
        raise _build_conflict_error(result, _format_location(table, board_number))
    if result.agreement != Agreement.AWAITED:
        return EnteredResult(result, has_changed=False)
    result.agreement = Agreement.CONFIRMED
    result.save(update_fields=["agreement"])
    audit.record(
        by,
        action,
        subject=session.event,
        where={**sitting.history_location, "board": board_number},
        after={"mark": result.mark},
        way=channel,
        undo=Undo((f"result {result.pk}",), "result.await_yes", {"result": result.pk}),
    )
    return EnteredResult(result, has_changed=True)


@transaction.atomic
def undo_confirmation(*, result: Result, by: Actor) -> Result:
    """Undo the other side's confirmation.

    Raises ActionUnavailable if another result has been entered.
    """
    result = lock_changeable_result(result, by)
    if result.agreement != Agreement.CONFIRMED:
        raise ActionUnavailable(_("This score has since been changed."))
    result.agreement = Agreement.AWAITED
    result.save(update_fields=["agreement"])
    audit.record(
        by,
        "result.unagreed",
        subject=result.sitting.section.session.event,
        where=result.history_location,
        before={"mark": result.mark},
        undo=Undo((f"result {result.pk}",)),
    )
    return result


def lock_changeable_result(result: Result, by: Actor) -> Result:
    """Lock a result and read it again.

    Raises ActionUnavailable if the result can no longer be changed.
    """
    result = lock_result(result)
    check_play_can_be_scored(result.sitting, result.sitting.section.session, result.board, by)
    return result


def _find_table_and_sitting(
    snapshot: SessionSnapshot, score: NewScore
) -> tuple[SeatedTable, Sitting]:
    """Return the table and the sitting of a score, from a snapshot that contains them."""
    sitting_id = score.sitting.pk
    table = next(table for table in snapshot.tables if table.sitting_id == sitting_id)
    return table, snapshot.sittings_by_id[sitting_id]


def _set_score(
    snapshot: SessionSnapshot,
    score: NewScore,
    versions: list[ResultVersion] | None,
    *,
    by: Actor,
    channel: str,
    request_key: str,
) -> EnteredResult:
    """Validate a score and set it on its result; the caller checks plausibility and saves."""
    table, sitting = _find_table_and_sitting(snapshot, score)
    board_number, session = score.board_number, snapshot.session
    written_score = parse_mark(
        score.mark,
        format_location=partial(_format_location, table, board_number),
        max_points=session.event.most_points,
    )
    check_play_can_be_scored(table, session, board_number, by)
    result = snapshot.find_current_result(sitting, board_number)
    trump = _choose_trump(score, result, written_score.outcome, session.event, table)
    former_score = result.written_score
    is_same_score = (former_score, result.trump) == (written_score, trump)
    if is_same_score or (
        request_key
        and any(version.key == request_key for version in _load_versions(result, versions))
    ):
        return EnteredResult(result, has_changed=False)
    if score.seen_score is not None and result.mark != _normalise_seen_score(
        score.seen_score, session.event
    ):
        raise _build_conflict_error(result, _format_location(table, board_number))
    if former_score != written_score or channel == ResultVersion.InputChannel.PHONE:
        result.agreement = _choose_agreement(written_score.outcome, channel)
    result.outcome, result.ns_tricks = written_score.outcome, written_score.ns_tricks
    result.ns_points, result.ew_points = written_score.ns_points, written_score.ew_points
    result.doubt, result.trump = Doubt.NONE, trump
    # Constraints are not validated here, because the database does this.
    result.clean_fields(exclude=["sitting"])
    return EnteredResult(result, has_changed=True)


def _save_result(
    result: Result,
    versions: list[ResultVersion] | None,
    *,
    by: Actor,
    channel: str,
    request_key: str,
) -> None:
    """Save a changed result, with a version that has its author, time and source."""
    version_numbers = [version.number for version in _load_versions(result, versions)]
    result.save()
    new_version = ResultVersion.objects.create(
        result=result,
        number=max(version_numbers, default=0) + 1,
        outcome=result.outcome,
        ns_tricks=result.ns_tricks,
        ns_points=result.ns_points,
        ew_points=result.ew_points,
        trump=result.trump,
        user=by if isinstance(by, User) else None,
        by=audit.format_author_key(by),
        at=timezone.now(),
        via=channel,
        key=request_key,
    )
    if versions is not None:
        versions.append(new_version)


def _increment_session_revisions(changed_results: Iterable[Result]) -> None:
    """Add each section's changes to its session's revision; give the section a new stamp."""
    write_counts = Counter(result.sitting.section for result in changed_results)
    for section, write_count in write_counts.items():
        increment_revisions(section.session, section=section, write_count=write_count)


def _choose_trump(
    score: NewScore, result: Result, outcome: str, event: Event, table: SeatedTable
) -> str:
    """Return the code of a table's declaration; the stored code if the score has none."""
    if outcome != Outcome.PLAYED:
        return ""
    if score.trump is None:
        return result.trump
    trump, location = score.trump.strip().upper(), _format_location(table, score.board_number)
    if trump and not event.has_declared_trumps:
        raise TricksRefused(
            _("%(where)s: trumps aren’t declared in this event.") % {"where": location}
        )
    if trump and trump not in {declaration.code for declaration in event.declarations}:
        instruction = _("Enter S, H, D or C.")
        if event.is_scored_in_points:
            instruction = _("Enter S, H, D, C or N, with X if doubled and XX if redoubled.")
        raise TricksRefused(
            _("%(where)s: “%(typed)s” can’t be declared. %(way)s")
            % {"where": location, "typed": score.trump.strip()[:20], "way": instruction}
        )
    return trump


def _format_location(table: SeatedTable, board_number: int) -> str:
    return _("Board %(board)s, table %(table)s") % {"board": board_number, "table": table.label}


def _normalise_seen_score(seen_score_text: str, event: Event) -> str:
    """Convert a score shown on a screen to the format of `Result.mark`."""
    mark = seen_score_text.strip()
    if mark.casefold() in NOT_PLAYED_MARKS:
        return "-"
    return "-".join(
        POINTS_SEPARATOR_PATTERN.split(mark) if event.is_scored_in_points else [mark]
    )


def _build_conflict_error(result: Result, location: str) -> EntryConflict:
    last_version = result.versions.last() if result.pk else None
    author = audit.describe_author(last_version.by) if last_version else ""
    if not result.mark:
        message = _("%(where)s: %(by)s has just cleared it.")
    elif result.mark == "-":
        message = _("%(where)s: %(by)s has just marked it as not played.")
    else:
        message = _("%(where)s: %(by)s has just entered N-S %(ns)s.")
    ns_value, ew_value = result.written_score.side_values
    if result.ns_points is not None:
        message = _("%(where)s: %(by)s has just entered N-S %(ns)s, E-W %(ew)s.")
    return EntryConflict(
        message % {"where": location, "by": author, "ns": ns_value, "ew": ew_value},
        current_value=result.mark,
        by=author,
    )


def _load_versions(result: Result, versions: list[ResultVersion] | None) -> list[ResultVersion]:
    """Return the versions of a result, from those already loaded or by a query."""
    if not result.pk:
        return []
    if versions is None:
        return list(result.versions.all())
    return [version for version in versions if version.result_id == result.pk]


def _choose_agreement(outcome: str, channel: str) -> str:
    """Return the agreement of a new score; only a score from a phone needs confirmation."""
    needs_confirmation = (
        channel == ResultVersion.InputChannel.PHONE and outcome != Outcome.CLEARED
    )
    return Agreement.AWAITED if needs_confirmation else Agreement.NONE
