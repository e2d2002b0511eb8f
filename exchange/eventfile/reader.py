"""Reads an event file and reports all problems together, each with its path."""

from collections.abc import Mapping
from datetime import date as Date
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist import (
    Card,
    Deal,
    Seat,
    Suit,
    UnreadableCard,
    WhistError,
    format_problems,
    list_deal_problems,
)
from boards.whist.notation import read_hands
from clubs.evenings.event_days import format_event_day_error, is_valid_event_day
from clubs.names.tidy import build_name_key, clean_name
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.schema import find_subschema_reader, is_complete
from exchange.eventfile.score_checks import check_scores
from exchange.eventfile.sections import read_section
from exchange.eventfile.stages import check_bracket_draws, read_prizes_and_stages
from exchange.eventfile.strays import check_stray_boards
from exchange.eventfile.values import (
    DEFAULT_SETTINGS,
    EventFile,
    EventFileEntry,
    EventFileSection,
    EventFileSession,
)
from scoring.methods import find_method_for_contest
from server.json_reader.decoder import decode_json
from server.json_reader.formats import check_format
from server.json_reader.problems import JsonPath, Problems, format_problem, format_value
from tournaments.errors import InvalidSecondPlay
from tournaments.services.second_play import check_second_play

EVENT_FILE_FORMAT = "whist-event/1"
PLAYER_COUNT_LIMITS = {
    "pairs": (2, 2),
    "memory": (2, 2),
    "individual": (1, 1),
    "teams": (4, 24),
}
"""The minimum and the maximum number of players in an entry, by contest."""
MAX_SESSION_BOARDS = 1000


def read_event_file(document: bytes | str | Mapping[str, Any]) -> EventFile:
    """Read an event from the bytes or text of an event file, or from its decoded JSON.

    Raises UnusableEventFile with every problem and its path.
    """
    file_data = document
    if isinstance(document, bytes | str):
        file_data = decode_json(document, UnusableEventFile)
    if not isinstance(file_data, Mapping):
        message = _(
            "The file has no event. It must be one group in braces { } with its format."
        )
        raise UnusableEventFile(message)
    check_format(file_data, EVENT_FILE_FORMAT, UnusableEventFile)
    problems = Problems(UnusableEventFile)
    try:
        event_file = _read_valid_event(
            find_subschema_reader("#")(file_data, JsonPath("", problems)), problems
        )
    except RecursionError:
        raise UnusableEventFile(_("The file’s brackets are nested too deep.")) from None
    if problems or event_file is None:
        raise UnusableEventFile(problems)
    return event_file


def _read_final_event(event_data: Any, path: str, problems: Problems) -> EventFile | None:
    """Read the event of a final, which is a complete event file within the file."""
    final_problems = Problems(UnusableEventFile)
    event_file = _read_valid_event(event_data, final_problems)
    problems += [f"{path}.{problem}" for problem in final_problems]
    return event_file


def _read_valid_event(file_data: Mapping[str, Any], problems: Problems) -> EventFile | None:
    """Return the event for data that match the schema, or None if there is a problem."""
    event_data = file_data.get("event") or {}
    contest_code = event_data.get("contest") or ""
    method = event_data.get("method", "plus_minus")
    date = _read_date(event_data.get("date"), problems)
    _check_scoring_method(contest_code, method, event_data, problems)
    names_by_player = _read_players(file_data.get("players") or [], problems)
    entries = _read_entries(
        file_data.get("entries") or [], names_by_player, contest_code, problems
    )
    entry_numbers = {entry.get("number") for entry in file_data.get("entries") or [] if entry}
    session_items = file_data.get("sessions") or []
    sessions = _read_sessions(session_items, contest_code, entry_numbers, problems)
    trumps = event_data.get("trumps") or "turned"
    _check_trumps(
        session_items,
        trumps,
        is_in_points=bool(event_data.get("most_points")),
        problems=problems,
    )
    _check_second_play_option(event_data, contest_code, trumps, problems)
    max_points = event_data.get("most_points")
    check_scores(session_items, contest_code, max_points, problems)
    carry_over = _read_carry_over(event_data.get("carry_over") or "1", problems)
    prizes_and_stages = read_prizes_and_stages(
        file_data, entry_numbers, _read_final_event, problems
    )
    check_bracket_draws(prizes_and_stages, sessions, problems)
    if problems or date is None or not is_complete(file_data, "club", "event"):
        return None
    settings = {
        name: event_data.get(name, default) for name, default in DEFAULT_SETTINGS.items()
    }
    settings |= {"tie_breaks": tuple(settings["tie_breaks"]), "carry_over": carry_over}
    return EventFile(
        club_name=clean_name(file_data["club"]["name"]),
        name=clean_name(event_data["name"]),
        date=date,
        contest_code=contest_code,
        method=method,
        players=tuple(names_by_player.values()),
        entries=tuple(entries),
        sessions=tuple(sessions),
        prizes_and_stages=prizes_and_stages,
        **settings,
    )


def _read_date(
    date_text: str | None, problems: Problems, path: str = "event.date"
) -> Date | None:
    try:
        date = Date.fromisoformat(date_text) if date_text else None
    except ValueError:
        problems.append(
            format_problem(path, _("%(date)s isn’t a date."), date=format_value(date_text))
        )
        return None
    if date is not None and not is_valid_event_day(date):
        problems.append(format_problem(path, format_event_day_error()))
        return None
    return date


def _read_carry_over(share_text: str, problems: Problems) -> str:
    """Return the fraction of earlier sessions' scores that counts, from 0 to 1, as text."""
    share = Fraction(share_text)
    if not 0 <= share <= 1:
        message = _("%(part)s isn’t a share from 0 to 1.")
        problems.append(format_problem("event.carry_over", message, part=share_text))
    return str(share)


def _check_scoring_method(
    contest_code: str, method: str | None, event_data: Mapping[str, Any], problems: Problems
) -> None:
    has_whole_averages, is_in_points = (
        bool(event_data.get("whole_averages")),
        bool(event_data.get("most_points")),
    )
    if not contest_code or not method:
        return
    try:
        scoring_method = find_method_for_contest(
            contest_code,
            method,
            has_whole_averages=has_whole_averages,
            is_in_points=is_in_points,
        )
    except WhistError as problem:
        problems.append(format_problem("event.method", str(problem)))
        return
    if has_whole_averages and not scoring_method.has_whole_averages:
        message = _(
            "Averages can’t be rounded in a %(contest)s event scored by %(method)s. Leave "
            "this out."
        )
        problems.append(
            format_problem("event.whole_averages", message, contest=contest_code, method=method)
        )


def _read_players(player_data: list[Any], problems: Problems) -> dict[str, str]:
    """Return the names of the players by their ids in the file."""
    names_by_id: dict[str, str] = {}
    ids_by_name_key: dict[str, str] = {}
    for index, player in enumerate(player_data):
        path = f"players[{index}]"
        player_id, name = (player or {}).get("id"), clean_name((player or {}).get("name") or "")
        if player_id is None:
            continue
        if player_id in names_by_id:
            message = _("%(id)s is already used. Give each a different one.")
            problems.append(format_problem(f"{path}.id", message, id=player_id))
        elif name and ids_by_name_key.setdefault(build_name_key(name), player_id) != player_id:
            other_player_id = ids_by_name_key[build_name_key(name)]
            message = _("%(name)s is already %(other)s. Players need different names.")
            problems.append(
                format_problem(f"{path}.name", message, name=name, other=other_player_id)
            )
        names_by_id[player_id] = name
    return names_by_id


def _read_entries(
    entry_data: list[Any],
    names_by_player: Mapping[str, str],
    contest_code: str,
    problems: Problems,
) -> list[EventFileEntry]:
    entries_by_number: dict[int, EventFileEntry] = {}
    entry_numbers_by_player: dict[str, int] = {}
    for index, entry in enumerate(entry_data):
        path = f"entries[{index}]"
        entry_number = (entry or {}).get("number")
        if entry_number in entries_by_number:
            problems.append(
                format_problem(
                    f"{path}.number",
                    _("Entry %(number)s is listed twice."),
                    number=entry_number,
                )
            )
        if entry_number is None or not is_complete(entry, "players"):
            continue
        player_names = _read_player_names(
            entry["players"],
            entry_number,
            names_by_player,
            entry_numbers_by_player,
            f"{path}.players",
            problems,
        )
        _check_player_count(entry["players"], contest_code, f"{path}.players", problems)
        entries_by_number[entry_number] = EventFileEntry(
            entry_number,
            clean_name(entry.get("name") or ""),
            tuple(player_names),
            needs_stationary_place=bool(entry.get("stays")),
        )
    return sorted(entries_by_number.values(), key=lambda entry: entry.entry_number)


def _read_player_names(
    player_ids: list[Any],
    entry_number: int,
    names_by_player: Mapping[str, str],
    entry_numbers_by_player: dict[str, int],
    base_json_path: str,
    problems: Problems,
) -> list[str]:
    player_names = []
    for index, player_id in enumerate(player_ids):
        path = f"{base_json_path}[{index}]"
        if player_id not in names_by_player:
            message = _("Player %(id)s isn’t in this file.")
            problems.append(format_problem(path, message, id=format_value(player_id)))
            continue
        other_entry_number = entry_numbers_by_player.setdefault(player_id, entry_number)
        if player_id in player_ids[:index]:
            message = _("%(name)s is in entry %(entry)s twice.")
            problems.append(
                format_problem(
                    path, message, name=names_by_player[player_id], entry=entry_number
                )
            )
        elif other_entry_number != entry_number:
            message = _("%(name)s is already in entry %(entry)s. A player can enter only once.")
            problems.append(
                format_problem(
                    path, message, name=names_by_player[player_id], entry=other_entry_number
                )
            )
        player_names.append(names_by_player[player_id])
    return player_names


def _check_player_count(
    player_ids: list[Any], contest_code: str, path: str, problems: Problems
) -> None:
    if contest_code not in PLAYER_COUNT_LIMITS:
        return
    min_players, max_players = PLAYER_COUNT_LIMITS[contest_code]
    if not min_players <= len(player_ids) <= max_players:
        if min_players == max_players:
            message = ngettext(
                "%(count)s here, but a %(contest)s event has %(size)s player per entry.",
                "%(count)s here, but a %(contest)s event has %(size)s players per entry.",
                min_players,
            )
        else:
            message = _(
                "%(count)s here, but a %(contest)s event has %(size)s players or more per "
                "entry."
            )
        problems.append(
            format_problem(
                path, message, count=len(player_ids), contest=contest_code, size=min_players
            )
        )


def _read_sessions(
    session_data: list[Any],
    contest_code: str,
    entry_numbers: set[int | None],
    problems: Problems,
) -> list[EventFileSession]:
    sessions = []
    for index, session in enumerate(session_data):
        path = f"sessions[{index}]"
        if session is None:
            continue
        session_number = session.get("number")
        if session_number not in (None, index + 1):
            message = _("Sessions must be numbered from 1. This one must be number %(number)s.")
            problems.append(format_problem(f"{path}.number", message, number=index + 1))
        sessions.append(_read_session(session, contest_code, entry_numbers, path, problems))
    return sessions


def _check_trumps(
    session_data: list[Any], trumps: str, *, is_in_points: bool, problems: Problems
) -> None:
    """Check that boards and results match the way in which the event determines trumps.

    Trumps are turned up, declared at the table, or one suit for the whole event.
    """
    for index, session in enumerate(session_data):
        base_json_path = f"sessions[{index}]"
        for board_index, board in enumerate((session or {}).get("boards") or []):
            if trumps == "turned" and board is not None and "turn_up" not in board:
                problems.append(
                    format_problem(
                        f"{base_json_path}.boards[{board_index}].turn_up", _("This is missing.")
                    )
                )
        for section_index, section in enumerate((session or {}).get("sections") or []):
            for result_index, result in enumerate((section or {}).get("results") or []):
                declared_trump = str((result or {}).get("trump") or "")
                path = (
                    f"{base_json_path}.sections[{section_index}].results[{result_index}].trump"
                )
                if fault_text := _describe_trump_fault(
                    declared_trump, trumps, is_in_points=is_in_points
                ):
                    problems.append(format_problem(path, fault_text))


def _check_second_play_option(
    event_data: Mapping[str, Any], contest_code: str, trumps: str, problems: Problems
) -> None:
    if not event_data.get("other_suits"):
        return
    try:
        check_second_play(contest_code, trumps)
    except InvalidSecondPlay as error:
        problems.append(format_problem("event.other_suits", str(error)))


def _describe_trump_fault(declared_trump: str, trumps: str, *, is_in_points: bool) -> str:
    """Return the reason why a result's declared trump is invalid; empty if it is valid."""
    if not declared_trump:
        return ""
    if trumps != "declared":
        return _("Delete this trump, or set event.trumps to declared.")
    if not is_in_points and declared_trump not in list(Suit):
        return _("No trump and doubled need event.most_points. Use S, H, D or C.")
    return ""


def _read_session(
    session_data: Mapping[str, Any],
    contest_code: str,
    entry_numbers: set[int | None],
    base_json_path: str,
    problems: Problems,
) -> EventFileSession:
    sections_by_letter: dict[str, EventFileSection] = {}
    path_by_entry: dict[int, str] = {}
    paths_by_boards_per_round: dict[int, str] = {}
    for index, section in enumerate(session_data.get("sections") or []):
        path = f"{base_json_path}.sections[{index}]"
        section_letter = (section or {}).get("letter")
        if section_letter in sections_by_letter:
            problems.append(
                format_problem(
                    f"{path}.letter",
                    _("Section %(letter)s is listed twice."),
                    letter=section_letter,
                )
            )
        section_content = read_section(
            section or {},
            contest_code,
            entry_numbers,
            path_by_entry,
            paths_by_boards_per_round,
            path,
            problems,
        )
        if section_content is not None:
            sections_by_letter[section_content.section_letter] = section_content
    boards_per_round = next(iter(paths_by_boards_per_round), 4)
    last_board_number = boards_per_round * max(
        (file_section.board_group_count for file_section in sections_by_letter.values()),
        default=0,
    )
    if last_board_number > MAX_SESSION_BOARDS:
        message = _("This needs %(boards)s boards, but a session can have at most %(most)s.")
        problems.append(
            format_problem(
                base_json_path, message, boards=last_board_number, most=MAX_SESSION_BOARDS
            )
        )
    if sections_by_letter:
        check_stray_boards(session_data, last_board_number, base_json_path, problems)
    deals_by_board = _read_boards(
        session_data.get("boards"), last_board_number, f"{base_json_path}.boards", problems
    )
    return EventFileSession(
        session_number=session_data.get("number") or 0,
        boards_per_round=boards_per_round,
        deals_by_board=deals_by_board or None,
        sections=tuple(
            sections_by_letter[section_letter] for section_letter in sorted(sections_by_letter)
        ),
        across_sections=bool(session_data.get("across_sections")),
        date=_read_date(session_data.get("date"), problems, f"{base_json_path}.date"),
    )


def _read_boards(
    board_data: Any, last_board_number: int, base_json_path: str, problems: Problems
) -> dict[int, Deal]:
    deals_by_board: dict[int, Deal] = {}
    used_board_numbers: set[int] = set()
    for index, board in enumerate(board_data or []):
        path = f"{base_json_path}[{index}]"
        board_number: Any = (board or {}).get("number")
        if board_number in used_board_numbers:
            problems.append(
                format_problem(
                    f"{path}.number", _("Board %(board)s is listed twice."), board=board_number
                )
            )
        elif (
            board_number is not None and last_board_number and board_number > last_board_number
        ):
            message = _("The session’s movement only has boards 1–%(last)s.")
            problems.append(format_problem(f"{path}.number", message, last=last_board_number))
        used_board_numbers.add(board_number)
        if is_complete(board, "number", "dealer", "deal"):
            deal = _read_deal(board, path, problems)
            if deal is not None:
                deals_by_board[board_number] = deal
    return deals_by_board


def _read_deal(board_data: Mapping[str, Any], path: str, problems: Problems) -> Deal | None:
    """Read the deal of a board, and check that its four hands make up a pack (rules B4)."""
    dealer = Seat(board_data["dealer"])
    problem_count = len(problems)
    try:
        cards_by_seat = read_hands(board_data["deal"])
    except WhistError as problem:
        problems.append(format_problem(f"{path}.deal", str(problem)))
        return None
    if deal_problems := list_deal_problems(cards_by_seat, dealer, None):
        problems.append(format_problem(f"{path}.deal", format_problems(deal_problems)))
    try:
        turn_up = Card.parse(board_data["turn_up"]) if "turn_up" in board_data else None
    except UnreadableCard as problem:
        problems.append(format_problem(f"{path}.turn_up", str(problem)))
        return None
    if turn_up is not None and turn_up not in cards_by_seat[dealer]:
        message = _("%(card)s isn’t in the hand of %(seat)s, the dealer.")
        problems.append(
            format_problem(f"{path}.turn_up", message, card=turn_up.code, seat=dealer.word)
        )
    if len(problems) > problem_count:
        return None
    return Deal(
        {seat: frozenset(cards) for seat, cards in cards_by_seat.items()}, dealer, turn_up
    )
