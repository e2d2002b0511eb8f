"""The bar at the top of the room page, with the director's next task and its button."""

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
from hall.room.tiles import Hall
from scoring.session_snapshot import SeatedTable
from scoring.sheets.doubts import SessionQueries
from scoring.sheets.next_moves import format_board_range
from scoring.sheets.score_slips import format_round_key, format_score_page_query
from tournaments.visits import Visit


@dataclass(frozen=True, slots=True)
class NextBar:
    """The text of the director's next task, and its button."""

    act: NextTask
    icon: str
    title: str
    text: str
    buttons: tuple[ActionButton, ...]


def build_next_bar(
    visit: Visit,
    hall: Hall,
    calls: Sequence[WaitingCall],
    queries: SessionQueries,
    checks: Sequence[ResultToCheck],
) -> NextBar:
    """Return the bar for the director's most urgent task in a session."""
    open_tasks = OpenTasks(
        state=str(hall.snapshot.session.state),
        calls=len(calls),
        wrong_side_count=len(queries.rounds),
        is_round_over=hall.is_round_over,
        queries=len(checks),
        slips=len(hall.missing_slips),
        missing=hall.snapshot.missing_result_count,
        has_begun=hall.has_begun,
    )
    next_task = choose_next_task(open_tasks)
    if next_task == NextTask.CALL:
        return _build_call_bar(visit, hall, calls)
    if next_task == NextTask.WRONG:
        return _build_wrong_side_bar(visit, queries)
    if next_task == NextTask.ROUND:
        return _build_round_bar(visit, hall)
    if next_task == NextTask.QUERY:
        return _build_query_bar(checks)
    if next_task == NextTask.SLIP:
        return _build_slip_bar(visit, hall)
    return _build_idle_bar(visit, hall, next_task)


def _build_call_bar(visit: Visit, hall: Hall, calls: Sequence[WaitingCall]) -> NextBar:
    first, other_calls = calls[0], calls[1:]
    sentences = [
        _("has just called")
        if first.is_new
        else _("waiting %(since)s") % {"since": timesince(first.at, depth=1)}
    ]
    table_rounds = hall.snapshot.rounds_by_table.get(first.table[1:], [])
    table_status = hall.table_states.get(first.table[1:])
    current_round = next(
        (
            table
            for table in table_rounds
            if table_status and table.round == table_status.round and table.is_played
        ),
        None,
    )
    if current_round is not None:
        board = next(
            (
                it
                for it in current_round.boards
                if not hall.snapshot.has_result_or_ruling(current_round, it)
            ),
            None,
        )
        sentences += [_("board %(board)s") % {"board": board}] if board else []
        sentences.append(
            _("%(ns)s v %(ew)s") % {"ns": current_round.ns.name, "ew": current_round.ew.name}
        )
    if other_calls:
        text = ngettext("then table %(tables)s", "then tables %(tables)s", len(other_calls))
        sentences.append(
            text % {"tables": ", ".join(waiting_call.place for waiting_call in other_calls)}
        )
    answer_url = reverse("call_answer", args=[visit.address])
    return NextBar(
        NextTask.CALL,
        "bell",
        _("Table %(table)s is calling") % {"table": first.place},
        _join_sentences(sentences),
        (ActionButton(_("I’m on my way"), answer_url, (("call", str(first.pk)),)),),
    )


def _join_sentences(sentences: Sequence[str]) -> str:
    text = " · ".join(sentences)
    return text[:1].upper() + text[1:]


def _build_wrong_side_bar(visit: Visit, queries: SessionQueries) -> NextBar:
    first = queries.rounds[0]
    doubt = reverse("result_doubt", args=[visit.address])
    form_fields = {"sitting": first.sitting, "board": first.marks[0][0], "act": "round"}
    return NextBar(
        NextTask.WRONG,
        "warn",
        _("Wrong board or sides swapped?"),
        first.text,
        (
            ActionButton(_("Correct round"), doubt, build_form_fields(form_fields)),
            _build_checks_button(visit),
        ),
    )


def _build_checks_button(visit: Visit) -> ActionButton:
    return ActionButton(
        _("Check scores"), reverse("scores", args=[visit.address]) + "?by=board#doubts"
    )


def _build_round_bar(visit: Visit, hall: Hall) -> NextBar:
    next_round = hall.round + 1
    placeholders = {"round": next_round}
    if next_round > max(hall.snapshot.last_seated_round_by_section.values(), default=0):
        return _build_draw_bar(visit, hall, next_round)
    moves = describe_round_moves(hall.snapshot, hall.round)
    playing_tables = hall.tables_still_playing
    if playing_tables:
        moves.append(_("Still playing: %(tables)s.") % {"tables": ", ".join(playing_tables)})
    if hall.face.state == "running" and hall.face.phase == "playing":
        button = _build_clock_button(
            visit, _("End round %(round)s") % {"round": hall.round}, "end"
        )
    elif hall.is_timed:
        button = _build_clock_button(visit, _("Start round %(round)s") % placeholders, "end")
    else:
        button = _build_clock_button(
            visit, _("Start clock at round %(round)s") % placeholders, "start", next_round
        )
    return NextBar(
        NextTask.ROUND,
        "change",
        _("Call round %(round)s") % placeholders,
        " ".join(moves) or _("Round %(round)s: all results in.") % {"round": hall.round},
        (button,) if visit.is_directed else (),
    )


def _build_draw_bar(visit: Visit, hall: Hall, following: int) -> NextBar:
    """Return the bar if the next round has not been drawn yet."""
    placeholders = {"round": following, "before": hall.round}
    missing = ngettext(
        "%(count)s result missing.",
        "%(count)s results missing.",
        hall.snapshot.missing_result_count,
    )
    text = (
        missing % {"count": hall.snapshot.missing_result_count}
        if hall.snapshot.missing_result_count
        else _("Round %(before)s: all results in.") % placeholders
    )
    letter = next(
        (section.letter for section in hall.snapshot.sections if section.rounds < following), ""
    )
    form_fields = (("act", "draw"), ("round", str(following)), ("section", letter))
    page = reverse("draws", args=[visit.address])
    button = ActionButton(_("Draw round %(round)s") % placeholders, page, form_fields)
    title = _("Draw round %(round)s") % placeholders
    presses = (button, ActionButton(_("All draws"), page)) if visit.is_directed else ()
    return NextBar(NextTask.ROUND, "change", title, text, presses)


def _build_clock_button(visit: Visit, label: str, act: str, round_: int = 0) -> ActionButton:
    fields: dict[str, object] = {"act": act} | ({"round": round_} if round_ else {})
    return ActionButton(
        label, reverse("clock_act", args=[visit.address]), build_form_fields(fields)
    )


def _build_query_bar(checks: Sequence[ResultToCheck]) -> NextBar:
    first, other_count = checks[0], len(checks) - 1
    text = first.text
    if other_count:
        more_text = ngettext("%(count)s more.", "%(count)s more.", other_count)
        text += " " + more_text % {"count": other_count}
    return NextBar(
        NextTask.QUERY,
        "warn",
        _("Please check: %(where)s")
        % {"where": first.location[:1].lower() + first.location[1:]},
        text,
        first.buttons,
    )


def _build_slip_bar(visit: Visit, hall: Hall) -> NextBar:
    first: SeatedTable = hall.missing_slips[0]
    missing = sum(map(hall.count_missing, hall.missing_slips))
    placeholders = {
        "table": first.label,
        "round": first.round,
        "boards": format_board_range(first.boards),
    }
    text = ngettext(
        "Round %(round)s, boards %(boards)s. %(count)s earlier result missing.",
        "Round %(round)s, boards %(boards)s. %(count)s earlier results missing.",
        missing,
    )
    grid = reverse("scores", args=[visit.address])
    return NextBar(
        NextTask.SLIP,
        "scores",
        _("Slip missing: table %(table)s") % placeholders,
        text % (placeholders | {"count": missing}),
        (
            ActionButton(
                _("Enter slip"),
                grid + format_score_page_query("round", format_round_key(first)),
            ),
        ),
    )


def _build_idle_bar(visit: Visit, hall: Hall, act: NextTask) -> NextBar:
    """Return the bar if the session has no open tasks."""
    scores = reverse("scores", args=[visit.address])
    grid = ActionButton(_("Enter scores"), f"{scores}?from=room")
    desk_url = reverse("event_desk", args=[visit.address])
    placeholders = {
        "round": hall.round,
        "entered": hall.entered_count,
        "expected": hall.expected_count,
    }
    if act == NextTask.CLOSE:
        close = ActionButton(_("Check and close"), reverse("closing", args=[visit.address]))
        standings = ActionButton(
            _("Standings"), reverse("director_standings", args=[visit.address])
        )
        button = close if visit.is_directed else standings
        title, text = _("All results in"), _("Closing shows the hands to players.")
        return NextBar(act, "check", title, text, (button,))
    if act == NextTask.BEGIN:
        start = _build_clock_button(visit, _("Start clock"), "start", hall.round)
        button = start if visit.is_directed else grid
        text = _("All tables have players and boards.")
        return NextBar(
            act, "clock", _("Round %(round)s can begin") % placeholders, text, (button,)
        )
    if act == NextTask.PLAY:
        title = _("Round %(round)s in play") % placeholders
        text = _("All quiet. %(entered)s / %(expected)s results in.") % placeholders
        return NextBar(act, "room", title, text, (grid,))
    if act == NextTask.PREPARE:
        return NextBar(
            act,
            "steps",
            _("Session not started"),
            "",
            (ActionButton(_("Continue setup"), desk_url),),
        )
    after = ActionButton(_("After the session"), desk_url)
    return NextBar(act, "lock", _("The session is closed"), "", (after,))
