"""The open calls for the director, and a text by which pages detect that they have changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import DirectorCall
from hall.room.table_status import build_table_statuses
from scoring.doubts.disputes import load_disputed_plays
from scoring.models import Agreement, Doubt
from scoring.session_snapshot import load_session_snapshot
from tournaments.models import Session
from tournaments.movements.formatting import format_table


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """A table that has called the director and waits for an answer."""

    pk: int
    table_label: str  # "13", or "A13" if there are several sections
    called_at: datetime
    is_new: bool
    table_key: tuple[int, str, int]  # primary key of the session, section letter, table number


def list_waiting_calls(calls: QuerySet[DirectorCall]) -> list[WaitingCall]:
    """Return the unanswered calls of a queryset, oldest first."""
    open_calls = calls.filter(answered_at__isnull=True)
    return [
        WaitingCall(
            pk=call.pk,
            table_label=format_table(call.table, call.section if call.sections > 1 else ""),
            called_at=call.at,
            is_new=call.is_new,
            table_key=(call.evening.session.pk, call.section, call.table),
        )
        for call in open_calls.select_related("evening__session").annotate(
            sections=Count("evening__session__sections")
        )
    ]


def list_session_calls(session: Session) -> list[WaitingCall]:
    """Return the open calls of a session; empty unless the session is open."""
    is_open = session.state == Session.State.OPEN
    return list_waiting_calls(session.evening.calls.all()) if is_open else []


def format_calls_version(calls: Iterable[WaitingCall]) -> str:
    """Return a text for the calls on a page, such as "17.3,18.0", that changes with the list.

    It has the primary key of each call and the minutes that the table has waited.
    """
    now = timezone.now()
    return ",".join(
        f"{call.pk}.{int((now - call.called_at).total_seconds() // 60)}" for call in calls
    )


def describe_waiting_call(call: WaitingCall) -> list[str]:
    """Return sentences about a table's open points, as likely reasons for its call.

    Calls state no reason. The sentences cover the table's round and the results that are
    disputed, queried or not confirmed.
    """
    session_pk, section_letter, table_number = call.table_key
    session = Session.objects.select_related("event").get(pk=session_pk)
    snapshot = load_session_snapshot(session, table_key=(section_letter, table_number))
    status = next(iter(build_table_statuses(snapshot)), None)
    if status is None or not status.round_number:
        return []
    disputed_plays = load_disputed_plays(snapshot)
    boards_by_problem_kind: dict[str, list[int]] = {
        "disputed": [],
        "queried": [],
        "awaited": [],
    }
    for (sitting_pk, board_number), result in sorted(snapshot.results_by_play.items()):
        if (sitting_pk, board_number) in disputed_plays:
            boards_by_problem_kind["disputed"].append(board_number)
        elif result.doubt == Doubt.QUERIED:
            boards_by_problem_kind["queried"].append(board_number)
        elif result.agreement == Agreement.AWAITED:
            boards_by_problem_kind["awaited"].append(board_number)
    sentences = [
        ngettext(
            "Round %(round)s: %(entered)s of %(expected)s result in.",
            "Round %(round)s: %(entered)s of %(expected)s results in.",
            status.expected_count,
        )
        % {
            "round": status.round_number,
            "entered": status.entered_count,
            "expected": status.expected_count,
        }
    ]
    messages_by_kind = {
        "disputed": _("Scores don’t agree: board %(boards)s."),
        "queried": _("Please check board %(boards)s."),
        "awaited": _("Not confirmed yet: board %(boards)s."),
    }
    sentences += [
        messages_by_kind[problem_kind]
        % {
            "boards": get_text_list(
                [str(board_number) for board_number in board_numbers], _("and")
            )
        }
        for problem_kind, board_numbers in boards_by_problem_kind.items()
        if board_numbers
    ]
    return sentences
