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
    list_problems,
)
from boards.whist.notation import read_hands
from clubs.evenings.event_days import format_event_day_error, is_event_day
from clubs.names.tidy import build_name_key, clean_name
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.schema import find_part_reader, is_complete
from exchange.eventfile.score_checks import check_scores
from exchange.eventfile.sections import read_section
from exchange.eventfile.stages import check_bracket_draws, read_field
from exchange.eventfile.strays import check_strays
from exchange.eventfile.values import (
    DEFAULT_SETTINGS,
    EventFile,
    FiledEntry,
    FiledSection,
    FiledSession,
)
from scoring.methods import find_method_for_contest
from server.json_reader.decoder import decode_json
from server.json_reader.formats import check_format
from server.json_reader.problems import JsonPlace, Problems, format_problem, format_value
from tournaments.errors import InvalidSecondPlay
from tournaments.services.second_play import check_second_play

FORMAT = "whist-event/1"
PLAYERS_PER_ENTRY = {"pairs": (2, 2), "memory": (2, 2), "individual": (1, 1), "teams": (4, 24)}
MAX_SESSION_NUMBER = 1000


def read_event_file(document: bytes | str | Mapping[str, Any]) -> EventFile:
    """Read an event from the bytes or text of an event file, or from its decoded JSON.

    Raises UnusableEventFile with every problem and its path.
    """
    data = document
    if isinstance(document, bytes | str):
        data = decode_json(document, UnusableEventFile)
    if not isinstance(data, Mapping):
        text = _("The file has no event. It must be one group in braces { } with its format.")
        raise UnusableEventFile(text)
    check_format(data, FORMAT, UnusableEventFile)
    problems = Problems(UnusableEventFile)
    try:
        file = _read_valid_event(find_part_reader("#")(data, JsonPlace("", problems)), problems)
    except RecursionError:
        raise UnusableEventFile(_("The file's brackets are nested too deep.")) from None
    if problems or file is None:
        raise UnusableEventFile(problems)
    return file


def _read_final_event(clean: Any, path: str, wrong: Problems) -> EventFile | None:
    """Read the event of a final, which is a complete event file within the file."""
    final_problems = Problems(UnusableEventFile)
    file = _read_valid_event(clean, final_problems)
    wrong += [f"{path}.{problem}" for problem in final_problems]
    return file


def _read_valid_event(clean: Mapping[str, Any], problems: Problems) -> EventFile | None:
    """Return the event for data that match the schema, or None if there is a problem."""
    event = clean.get("event") or {}
    contest = event.get("contest") or ""
    method = event.get("method", "plus_minus")
    date = _read_date(event.get("date"), problems)
    _check_method(contest, method, event, problems)
    players = _read_players(clean.get("players") or [], problems)
    entries = _read_entries(clean.get("entries") or [], players, contest, problems)
    numbers = {entry.get("number") for entry in clean.get("entries") or [] if entry}
    session_data = clean.get("sessions") or []
    sessions = _read_sessions(session_data, contest, numbers, problems)
    trumps = event.get("trumps") or "turned"
    _check_trumps(
        session_data, trumps, in_points=bool(event.get("most_points")), problems=problems
    )
    _check_other_suits(event, contest, trumps, problems)
    most_points = event.get("most_points")
    check_scores(session_data, contest, most_points, problems)
    carry_over = _read_carry_over(event.get("carry_over") or "1", problems)
    field = read_field(clean, numbers, _read_final_event, problems)
    check_bracket_draws(field, sessions, problems)
    if problems or date is None or not is_complete(clean, "club", "event"):
        return None
    settings = {name: event.get(name, default) for name, default in DEFAULT_SETTINGS.items()}
    settings |= {"tie_breaks": tuple(settings["tie_breaks"]), "carry_over": carry_over}
    return EventFile(
        club=clean_name(clean["club"]["name"]),
        name=clean_name(event["name"]),
        date=date,
        contest=contest,
        method=method,
        players=tuple(players.values()),
        entries=tuple(entries),
        sessions=tuple(sessions),
        field=field,
        **settings,
    )


def _read_date(text: str | None, problems: Problems, path: str = "event.date") -> Date | None:
    try:
        date = Date.fromisoformat(text) if text else None
    except ValueError:
        problems.append(
            format_problem(path, _("%(date)s isn't a date."), date=format_value(text))
        )
        return None
    if date is not None and not is_event_day(date):
        problems.append(format_problem(path, format_event_day_error()))
        return None
    return date


def _read_carry_over(text: str, problems: Problems) -> str:
    """Return the fraction of earlier sessions' scores that counts, from 0 to 1, as text."""
    part = Fraction(text)
    if not 0 <= part <= 1:
        message = _("%(part)s isn't a share from 0 to 1.")
        problems.append(format_problem("event.carry_over", message, part=text))
    return str(part)


def _check_method(
    contest: str, method: str | None, event: Mapping[str, Any], problems: Problems
) -> None:
    has_whole_averages, in_points = (
        bool(event.get("whole_averages")),
        bool(event.get("most_points")),
    )
    if not contest or not method:
        return
    try:
        scoring_method = find_method_for_contest(
            contest, method, to_whole_tricks=has_whole_averages, in_points=in_points
        )
    except WhistError as problem:
        problems.append(format_problem("event.method", str(problem)))
        return
    if has_whole_averages and not scoring_method.whole_averages:
        text = _(
            "Averages can't be rounded in a %(contest)s event scored by "
            "%(method)s. Leave this out."
        )
        problems.append(
            format_problem("event.whole_averages", text, contest=contest, method=method)
        )


def _read_players(player_data: list[Any], problems: Problems) -> dict[str, str]:
    """Return the names of the players by their ids in the file."""
    players: dict[str, str] = {}
    names_by_key: dict[str, str] = {}
    for place, player in enumerate(player_data):
        path = f"players[{place}]"
        player_id, name = (player or {}).get("id"), clean_name((player or {}).get("name") or "")
        if player_id is None:
            continue
        if player_id in players:
            text = _("%(id)s is already used. Give each a different one.")
            problems.append(format_problem(f"{path}.id", text, id=player_id))
        elif name and names_by_key.setdefault(build_name_key(name), player_id) != player_id:
            other = names_by_key[build_name_key(name)]
            text = _("%(name)s is already %(other)s. Players need different names.")
            problems.append(format_problem(f"{path}.name", text, name=name, other=other))
        players[player_id] = name
    return players


def _read_entries(
    entry_data: list[Any], players: Mapping[str, str], contest: str, problems: Problems
) -> list[FiledEntry]:
    entries: dict[int, FiledEntry] = {}
    playing: dict[str, int] = {}
    for place, entry in enumerate(entry_data):
        path = f"entries[{place}]"
        number = (entry or {}).get("number")
        if number in entries:
            problems.append(
                format_problem(
                    f"{path}.number", _("Entry %(number)s is given twice."), number=number
                )
            )
        if number is None or not is_complete(entry, "players"):
            continue
        names = _read_player_names(
            entry["players"], number, players, playing, f"{path}.players", problems
        )
        _check_size(entry["players"], contest, f"{path}.players", problems)
        entries[number] = FiledEntry(
            number,
            clean_name(entry.get("name") or ""),
            tuple(names),
            stays=bool(entry.get("stays")),
        )
    return sorted(entries.values(), key=lambda entry: entry.number)


def _read_player_names(
    ids: list[Any],
    number: int,
    players: Mapping[str, str],
    playing: dict[str, int],
    place_text: str,
    problems: Problems,
) -> list[str]:
    names = []
    for place, player_id in enumerate(ids):
        path = f"{place_text}[{place}]"
        if player_id not in players:
            text = _("Player %(id)s isn't in this file.")
            problems.append(format_problem(path, text, id=format_value(player_id)))
            continue
        other = playing.setdefault(player_id, number)
        if player_id in ids[:place]:
            text = _("%(name)s is in entry %(entry)s twice.")
            problems.append(format_problem(path, text, name=players[player_id], entry=number))
        elif other != number:
            text = _("%(name)s is already in entry %(entry)s. A player enters only once.")
            problems.append(format_problem(path, text, name=players[player_id], entry=other))
        names.append(players[player_id])
    return names


def _check_size(ids: list[Any], contest: str, path: str, problems: Problems) -> None:
    if contest not in PLAYERS_PER_ENTRY:
        return
    min_players, max_players = PLAYERS_PER_ENTRY[contest]
    if not min_players <= len(ids) <= max_players:
        if min_players == max_players:
            text = ngettext(
                "%(count)s here, but an entry of a %(contest)s event has %(size)s player.",
                "%(count)s here, but an entry of a %(contest)s event has %(size)s players.",
                min_players,
            )
        else:
            text = _(
                "%(count)s here, but an entry of a %(contest)s event has "
                "%(size)s players or more."
            )
        problems.append(
            format_problem(path, text, count=len(ids), contest=contest, size=min_players)
        )


def _read_sessions(
    session_data: list[Any], contest: str, entries: set[int | None], problems: Problems
) -> list[FiledSession]:
    sessions = []
    for place, session in enumerate(session_data):
        path = f"sessions[{place}]"
        if session is None:
            continue
        number = session.get("number")
        if number not in (None, place + 1):
            text = _("Sessions must be numbered from 1. This one must be number %(number)s.")
            problems.append(format_problem(f"{path}.number", text, number=place + 1))
        sessions.append(_read_session(session, contest, entries, path, problems))
    return sessions


def _check_trumps(
    session_data: list[Any], trumps: str, *, in_points: bool, problems: Problems
) -> None:
    """Check that boards and results match the way in which the event determines trumps.

    Trumps are turned up, declared at the table, or one suit for the whole event.
    """
    for place, session in enumerate(session_data):
        base_path = f"sessions[{place}]"
        for number, board in enumerate((session or {}).get("boards") or []):
            if trumps == "turned" and board is not None and "turn_up" not in board:
                problems.append(
                    format_problem(
                        f"{base_path}.boards[{number}].turn_up", _("This is missing.")
                    )
                )
        for part, section in enumerate((session or {}).get("sections") or []):
            for number, result in enumerate((section or {}).get("results") or []):
                declared_trump = str((result or {}).get("trump") or "")
                path = f"{base_path}.sections[{part}].results[{number}].trump"
                if text := _find_trump_fault(declared_trump, trumps, in_points=in_points):
                    problems.append(format_problem(path, text))


def _check_other_suits(
    event: Mapping[str, Any], contest: str, trumps: str, problems: Problems
) -> None:
    if not event.get("other_suits"):
        return
    try:
        check_second_play(contest, trumps)
    except InvalidSecondPlay as error:
        problems.append(format_problem("event.other_suits", str(error)))


def _find_trump_fault(declared_trump: str, trumps: str, *, in_points: bool) -> str:
    """Return the reason why a result's declared trump is invalid; empty if it is valid."""
    if not declared_trump:
        return ""
    if trumps != "declared":
        return _("Delete this trump, or set event.trumps to declared.")
    if not in_points and declared_trump not in list(Suit):
        return _("No trump and doubled need event.most_points. Use S, H, D or C.")
    return ""


def _read_session(
    session: Mapping[str, Any],
    contest: str,
    entries: set[int | None],
    base_path: str,
    problems: Problems,
) -> FiledSession:
    sections: dict[str, FiledSection] = {}
    seated: dict[int, str] = {}
    sizes: dict[int, str] = {}
    for place, section in enumerate(session.get("sections") or []):
        path = f"{base_path}.sections[{place}]"
        letter = (section or {}).get("letter")
        if letter in sections:
            problems.append(
                format_problem(
                    f"{path}.letter", _("Section %(letter)s is given twice."), letter=letter
                )
            )
        section_content = read_section(
            section or {}, contest, entries, seated, sizes, path, problems
        )
        if section_content is not None:
            sections[section_content.letter] = section_content
    boards_a_round = next(iter(sizes), 4)
    last = boards_a_round * max(
        (filed_section.board_groups for filed_section in sections.values()), default=0
    )
    if last > MAX_SESSION_NUMBER:
        text = _("This needs %(boards)s boards, but a session has at most %(most)s.")
        problems.append(format_problem(base_path, text, boards=last, most=MAX_SESSION_NUMBER))
    if sections:
        check_strays(session, last, base_path, problems)
    deals = _read_boards(session.get("boards"), last, f"{base_path}.boards", problems)
    return FiledSession(
        number=session.get("number") or 0,
        boards_a_round=boards_a_round,
        deals=deals or None,
        sections=tuple(sections[letter] for letter in sorted(sections)),
        across_sections=bool(session.get("across_sections")),
        date=_read_date(session.get("date"), problems, f"{base_path}.date"),
    )


def _read_boards(
    board_data: Any, last: int, base_path: str, problems: Problems
) -> dict[int, Deal]:
    deals: dict[int, Deal] = {}
    numbers: set[int] = set()
    for place, board in enumerate(board_data or []):
        path = f"{base_path}[{place}]"
        number: Any = (board or {}).get("number")
        if number in numbers:
            problems.append(
                format_problem(
                    f"{path}.number", _("Board %(board)s is given twice."), board=number
                )
            )
        elif number is not None and last and number > last:
            text = _("The session's movement has only boards 1 to %(last)s.")
            problems.append(format_problem(f"{path}.number", text, last=last))
        numbers.add(number)
        if is_complete(board, "number", "dealer", "deal"):
            deal = _read_deal(board, path, problems)
            if deal is not None:
                deals[number] = deal
    return deals


def _read_deal(board: Mapping[str, Any], path: str, problems: Problems) -> Deal | None:
    """Read the deal of a board, and check that its four hands make up a pack (rules B4)."""
    dealer = Seat(board["dealer"])
    problem_count = len(problems)
    try:
        hands = read_hands(board["deal"])
    except WhistError as problem:
        problems.append(format_problem(f"{path}.deal", str(problem)))
        return None
    if faults := list_problems(hands, dealer, None):
        problems.append(format_problem(f"{path}.deal", format_problems(faults)))
    try:
        turn_up = Card.parse(board["turn_up"]) if "turn_up" in board else None
    except UnreadableCard as problem:
        problems.append(format_problem(f"{path}.turn_up", str(problem)))
        return None
    if turn_up is not None and turn_up not in hands[dealer]:
        text = _("%(card)s isn't in the hand of %(seat)s, the dealer.")
        problems.append(
            format_problem(f"{path}.turn_up", text, card=turn_up.code, seat=dealer.word)
        )
    if len(problems) > problem_count:
        return None
    return Deal({seat: frozenset(hand) for seat, hand in hands.items()}, dealer, turn_up)
