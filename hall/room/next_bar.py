"""The bar at the top of the room page, with the director's next task and its buttons."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hall.phones.calls import WaitingCall
from hall.room.clock import describe_round_moves
from hall.room.next_task import NextTask, OpenTasks, choose_next_task
from hall.room.result_checks import ActionButton, ResultToCheck, build_form_fields
from hall.room.tiles import SessionInPlay
from scoring.session_snapshot import SeatedTable
from scoring.sheets.doubts import SessionDoubts
from scoring.sheets.next_moves import format_board_range
from scoring.sheets.score_slips import format_score_page_query, format_score_slip_key
from tournaments.event_access import EventAccess


@dataclass(frozen=True, slots=True)
class NextTaskBar:
    """The text of the director's next task, and its buttons."""

    task: NextTask
    icon: str
    title: str
    text: str
    buttons: tuple[ActionButton, ...]


def build_next_task_bar(
    access: EventAccess,
    session_in_play: SessionInPlay,
    waiting_calls: Sequence[WaitingCall],
    session_doubts: SessionDoubts,
    results_to_check: Sequence[ResultToCheck],
) -> NextTaskBar:
    """Return the bar for the director's most urgent task in a session."""
    open_tasks = OpenTasks(
        session_state=str(session_in_play.snapshot.session.state),
        call_count=len(waiting_calls),
        swapped_sides_count=len(session_doubts.round_corrections),
        is_round_over=session_in_play.is_round_over,
        results_to_check_count=len(results_to_check),
        earlier_missing_result_count=len(session_in_play.incomplete_past_rounds),
        missing_result_count=session_in_play.snapshot.missing_result_count,
        has_begun=session_in_play.has_begun,
    )
    next_task = choose_next_task(open_tasks)
    if next_task == NextTask.ANSWER_CALL:
        return _build_call_bar(access, session_in_play, waiting_calls)
    if next_task == NextTask.CHECK_SWAPPED_SIDES:
        return _build_swapped_sides_bar(access, session_doubts)
    if next_task == NextTask.CALL_NEXT_ROUND:
        return _build_round_bar(access, session_in_play)
    if next_task == NextTask.CHECK_RESULT:
        return _build_check_bar(results_to_check)
    if next_task == NextTask.ENTER_EARLIER_RESULT:
        return _build_earlier_result_bar(access, session_in_play)
    return _build_idle_bar(access, session_in_play, next_task)


def _build_call_bar(
    access: EventAccess, session_in_play: SessionInPlay, waiting_calls: Sequence[WaitingCall]
) -> NextTaskBar:
    first_call, other_calls = waiting_calls[0], waiting_calls[1:]
    sentences = [
        _("has just called")
        if first_call.is_new
        else _("waiting %(since)s") % {"since": timesince(first_call.called_at, depth=1)}
    ]
    table_rounds = session_in_play.snapshot.rounds_by_table.get(first_call.table_key[1:], [])
    table_status = session_in_play.statuses_by_table.get(first_call.table_key[1:])
    current_round = next(
        (
            table
            for table in table_rounds
            if table_status and table.round == table_status.round_number and table.is_played
        ),
        None,
    )
    if current_round is not None:
        next_board_number = next(
            (
                board_number
                for board_number in current_round.boards
                if not session_in_play.snapshot.has_result_or_ruling(
                    current_round, board_number
                )
            ),
            None,
        )
        sentences += (
            [_("board %(board)s") % {"board": next_board_number}] if next_board_number else []
        )
        sentences.append(
            _("%(ns)s v %(ew)s") % {"ns": current_round.ns.name, "ew": current_round.ew.name}
        )
    if other_calls:
        message = ngettext("then table %(tables)s", "then tables %(tables)s", len(other_calls))
        sentences.append(
            message
            % {"tables": ", ".join(waiting_call.table_label for waiting_call in other_calls)}
        )
    answer_url = reverse("call_answer", args=[access.address])
    return NextTaskBar(
        NextTask.ANSWER_CALL,
        "bell",
        _("Table %(table)s is calling") % {"table": first_call.table_label},
        _join_sentences(sentences),
        (ActionButton(_("I’m on my way"), answer_url, (("call", str(first_call.pk)),)),),
    )


def _join_sentences(sentences: Sequence[str]) -> str:
    joined_text = " · ".join(sentences)
    return joined_text[:1].upper() + joined_text[1:]


def _build_swapped_sides_bar(access: EventAccess, session_doubts: SessionDoubts) -> NextTaskBar:
    first_correction = session_doubts.round_corrections[0]
    doubt_url = reverse("result_doubt", args=[access.address])
    form_fields = {
        "sitting": first_correction.sitting_id,
        "board": first_correction.corrected_marks[0][0],
        "act": "round",
    }
    return NextTaskBar(
        NextTask.CHECK_SWAPPED_SIDES,
        "warn",
        _("Wrong board or sides swapped?"),
        first_correction.text,
        (
            ActionButton(_("Correct round"), doubt_url, build_form_fields(form_fields)),
            _build_check_scores_button(access),
        ),
    )


def _build_check_scores_button(access: EventAccess) -> ActionButton:
    return ActionButton(
        _("Check scores"), reverse("scores", args=[access.address]) + "?by=board#doubts"
    )


def _build_round_bar(access: EventAccess, session_in_play: SessionInPlay) -> NextTaskBar:
    next_round_number = session_in_play.round + 1
    placeholders = {"round": next_round_number}
    if next_round_number > max(
        session_in_play.snapshot.last_seated_round_by_section.values(), default=0
    ):
        return _build_draw_bar(access, session_in_play, next_round_number)
    moves = describe_round_moves(session_in_play.snapshot, session_in_play.round)
    playing_table_names = session_in_play.playing_table_names
    if playing_table_names:
        moves.append(
            _("Still playing: %(tables)s.") % {"tables": ", ".join(playing_table_names)}
        )
    if (
        session_in_play.clock_face.state == "running"
        and session_in_play.clock_face.phase == "playing"
    ):
        button = _build_clock_button(
            access, _("End round %(round)s") % {"round": session_in_play.round}, "end"
        )
    elif session_in_play.is_timed:
        button = _build_clock_button(access, _("Start round %(round)s") % placeholders, "end")
    else:
        button = _build_clock_button(
            access,
            _("Start clock at round %(round)s") % placeholders,
            "start",
            next_round_number,
        )
    return NextTaskBar(
        NextTask.CALL_NEXT_ROUND,
        "change",
        _("Call round %(round)s") % placeholders,
        " ".join(moves)
        or _("Round %(round)s: all results in.") % {"round": session_in_play.round},
        (button,) if access.can_direct else (),
    )


def _build_draw_bar(
    access: EventAccess, session_in_play: SessionInPlay, next_round_number: int
) -> NextTaskBar:
    """Return the bar if the next round has not been drawn yet."""
    placeholders = {"round": next_round_number, "before": session_in_play.round}
    missing_text = ngettext(
        "%(count)s result missing.",
        "%(count)s results missing.",
        session_in_play.snapshot.missing_result_count,
    )
    text = (
        missing_text % {"count": session_in_play.snapshot.missing_result_count}
        if session_in_play.snapshot.missing_result_count
        else _("Round %(before)s: all results in.") % placeholders
    )
    section_letter = next(
        (
            section.letter
            for section in session_in_play.snapshot.sections
            if section.rounds < next_round_number
        ),
        "",
    )
    form_fields = (
        ("act", "draw"),
        ("round", str(next_round_number)),
        ("section", section_letter),
    )
    draws_url = reverse("draws", args=[access.address])
    button = ActionButton(_("Draw round %(round)s") % placeholders, draws_url, form_fields)
    title = _("Draw round %(round)s") % placeholders
    buttons = (button, ActionButton(_("All draws"), draws_url)) if access.can_direct else ()
    return NextTaskBar(NextTask.CALL_NEXT_ROUND, "change", title, text, buttons)


def _build_clock_button(
    access: EventAccess, button_label: str, action: str, round_number: int = 0
) -> ActionButton:
    form_fields: dict[str, object] = {"act": action} | (
        {"round": round_number} if round_number else {}
    )
    return ActionButton(
        button_label,
        reverse("clock_act", args=[access.address]),
        build_form_fields(form_fields),
    )


def _build_check_bar(results_to_check: Sequence[ResultToCheck]) -> NextTaskBar:
    first_check, other_check_count = results_to_check[0], len(results_to_check) - 1
    text = first_check.text
    if other_check_count:
        other_checks_text = ngettext("%(count)s more.", "%(count)s more.", other_check_count)
        text += " " + other_checks_text % {"count": other_check_count}
    return NextTaskBar(
        NextTask.CHECK_RESULT,
        "warn",
        _("Please check: %(where)s")
        % {"where": first_check.location[:1].lower() + first_check.location[1:]},
        text,
        first_check.buttons,
    )


def _build_earlier_result_bar(
    access: EventAccess, session_in_play: SessionInPlay
) -> NextTaskBar:
    first_table: SeatedTable = session_in_play.incomplete_past_rounds[0]
    missing_count = sum(
        map(session_in_play.count_missing_results, session_in_play.incomplete_past_rounds)
    )
    placeholders = {
        "table": first_table.label,
        "round": first_table.round,
        "boards": format_board_range(first_table.boards),
    }
    text = ngettext(
        "Round %(round)s, boards %(boards)s. %(count)s earlier result missing.",
        "Round %(round)s, boards %(boards)s. %(count)s earlier results missing.",
        missing_count,
    )
    score_grid_url = reverse("scores", args=[access.address])
    return NextTaskBar(
        NextTask.ENTER_EARLIER_RESULT,
        "scores",
        _("Slip missing: table %(table)s") % placeholders,
        text % (placeholders | {"count": missing_count}),
        (
            ActionButton(
                _("Enter slip"),
                score_grid_url
                + format_score_page_query("round", format_score_slip_key(first_table)),
            ),
        ),
    )


def _build_idle_bar(
    access: EventAccess, session_in_play: SessionInPlay, task: NextTask
) -> NextTaskBar:
    """Return the bar if the session has no open tasks."""
    score_grid_url = reverse("scores", args=[access.address])
    scores_button = ActionButton(_("Enter scores"), f"{score_grid_url}?from=room")
    desk_url = reverse("event_desk", args=[access.address])
    placeholders = {
        "round": session_in_play.round,
        "entered": session_in_play.entered_count,
        "expected": session_in_play.expected_count,
    }
    if task == NextTask.CLOSE:
        close_button = ActionButton(
            _("Check and close"), reverse("closing", args=[access.address])
        )
        standings_button = ActionButton(
            _("Standings"), reverse("director_standings", args=[access.address])
        )
        button = close_button if access.can_direct else standings_button
        title, text = _("All results in"), _("Closing shows the hands to players.")
        return NextTaskBar(task, "check", title, text, (button,))
    if task == NextTask.BEGIN:
        start_button = _build_clock_button(
            access, _("Start clock"), "start", session_in_play.round
        )
        button = start_button if access.can_direct else scores_button
        text = _("All tables have players and boards.")
        return NextTaskBar(
            task, "clock", _("Round %(round)s can begin") % placeholders, text, (button,)
        )
    if task == NextTask.ROUND_IN_PLAY:
        title = _("Round %(round)s in play") % placeholders
        text = _("All quiet. %(entered)s / %(expected)s results in.") % placeholders
        return NextTaskBar(task, "room", title, text, (scores_button,))
    if task == NextTask.PREPARE:
        return NextTaskBar(
            task,
            "steps",
            _("Session not started"),
            "",
            (ActionButton(_("Continue setup"), desk_url),),
        )
    desk_button = ActionButton(_("After the session"), desk_url)
    return NextTaskBar(task, "lock", _("The session is closed"), "", (desk_button,))
