"""The reading of an event file, which reports all problems together, each with its path."""

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
    wrong = Problems(UnusableEventFile)
    try:
        file = _read_valid_event(find_part_reader("#")(data, JsonPlace("", wrong)), wrong)
    except RecursionError:
        raise UnusableEventFile(_("The file's brackets are nested too deep.")) from None
    if wrong or file is None:
        raise UnusableEventFile(wrong)
    return file


def _read_final_event(clean: Any, where: str, wrong: Problems) -> EventFile | None:
    """Read the event of a final, which is a complete event file within the file."""
    own = Problems(UnusableEventFile)
    file = _read_valid_event(clean, own)
    wrong += [f"{where}.{problem}" for problem in own]
    return file


def _read_valid_event(clean: Mapping[str, Any], wrong: Problems) -> EventFile | None:
    """Return the event for data that match the schema, or None if there is a problem."""
    event = clean.get("event") or {}
    contest = event.get("contest") or ""
    method = event.get("method", "plus_minus")
    date = _read_date(event.get("date"), wrong)
    _check_method(contest, method, event, wrong)
    players = _read_players(clean.get("players") or [], wrong)
    entries = _read_entries(clean.get("entries") or [], players, contest, wrong)
    numbers = {each.get("number") for each in clean.get("entries") or [] if each}
    listed = clean.get("sessions") or []
    sessions = _read_sessions(listed, contest, numbers, wrong)
    trumps = event.get("trumps") or "turned"
    _check_trumps(listed, trumps, in_points=bool(event.get("most_points")), wrong=wrong)
    _check_other_suits(event, contest, trumps, wrong)
    most_points = event.get("most_points")
    check_scores(listed, contest, most_points, wrong)
    carry_over = _read_carry_over(event.get("carry_over") or "1", wrong)
    field = read_field(clean, numbers, _read_final_event, wrong)
    check_bracket_draws(field, sessions, wrong)
    if wrong or date is None or not is_complete(clean, "club", "event"):
        return None
    settled = {name: event.get(name, usual) for name, usual in DEFAULT_SETTINGS.items()}
    settled |= {"tie_breaks": tuple(settled["tie_breaks"]), "carry_over": carry_over}
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
        **settled,
    )


def _read_date(text: str | None, wrong: Problems, where: str = "event.date") -> Date | None:
    try:
        found = Date.fromisoformat(text) if text else None
    except ValueError:
        wrong.append(
            format_problem(where, _("%(date)s isn't a date."), date=format_value(text))
        )
        return None
    if found is not None and not is_event_day(found):
        wrong.append(format_problem(where, format_event_day_error()))
        return None
    return found


def _read_carry_over(text: str, wrong: Problems) -> str:
    """Return the fraction of earlier sessions' scores that counts, from 0 to 1, as text."""
    part = Fraction(text)
    if not 0 <= part <= 1:
        words = _("%(part)s isn't a share from 0 to 1.")
        wrong.append(format_problem("event.carry_over", words, part=text))
    return str(part)


def _check_method(
    contest: str, method: str | None, event: Mapping[str, Any], wrong: Problems
) -> None:
    whole, in_points = bool(event.get("whole_averages")), bool(event.get("most_points"))
    if not contest or not method:
        return
    try:
        scoring_method = find_method_for_contest(
            contest, method, to_whole_tricks=whole, in_points=in_points
        )
    except WhistError as problem:
        wrong.append(format_problem("event.method", str(problem)))
        return
    if whole and not scoring_method.whole_averages:
        text = _(
            "Averages can't be rounded in a %(contest)s event scored by "
            "%(method)s. Leave this out."
        )
        wrong.append(
            format_problem("event.whole_averages", text, contest=contest, method=method)
        )


def _read_players(listed: list[Any], wrong: Problems) -> dict[str, str]:
    """Return the names of the players by their ids in the file."""
    players: dict[str, str] = {}
    called: dict[str, str] = {}
    for place, player in enumerate(listed):
        where = f"players[{place}]"
        known, name = (player or {}).get("id"), clean_name((player or {}).get("name") or "")
        if known is None:
            continue
        if known in players:
            text = _("%(id)s is already used. Give each a different one.")
            wrong.append(format_problem(f"{where}.id", text, id=known))
        elif name and called.setdefault(build_name_key(name), known) != known:
            other = called[build_name_key(name)]
            text = _("%(name)s is already %(other)s. Players need different names.")
            wrong.append(format_problem(f"{where}.name", text, name=name, other=other))
        players[known] = name
    return players


def _read_entries(
    listed: list[Any], players: Mapping[str, str], contest: str, wrong: Problems
) -> list[FiledEntry]:
    entries: dict[int, FiledEntry] = {}
    playing: dict[str, int] = {}
    for place, entry in enumerate(listed):
        where = f"entries[{place}]"
        number = (entry or {}).get("number")
        if number in entries:
            wrong.append(
                format_problem(
                    f"{where}.number", _("Entry %(number)s is given twice."), number=number
                )
            )
        if number is None or not is_complete(entry, "players"):
            continue
        names = _read_player_names(
            entry["players"], number, players, playing, f"{where}.players", wrong
        )
        _check_size(entry["players"], contest, f"{where}.players", wrong)
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
    where: str,
    wrong: Problems,
) -> list[str]:
    names = []
    for place, known in enumerate(ids):
        path = f"{where}[{place}]"
        if known not in players:
            text = _("Player %(id)s isn't in this file.")
            wrong.append(format_problem(path, text, id=format_value(known)))
            continue
        other = playing.setdefault(known, number)
        if known in ids[:place]:
            text = _("%(name)s is in entry %(entry)s twice.")
            wrong.append(format_problem(path, text, name=players[known], entry=number))
        elif other != number:
            text = _("%(name)s is already in entry %(entry)s. A player enters only once.")
            wrong.append(format_problem(path, text, name=players[known], entry=other))
        names.append(players[known])
    return names


def _check_size(ids: list[Any], contest: str, where: str, wrong: Problems) -> None:
    if contest not in PLAYERS_PER_ENTRY:
        return
    least, most = PLAYERS_PER_ENTRY[contest]
    if not least <= len(ids) <= most:
        if least == most:
            text = ngettext(
                "%(count)s here, but an entry of a %(contest)s event has %(size)s player.",
                "%(count)s here, but an entry of a %(contest)s event has %(size)s players.",
                least,
            )
        else:
            text = _(
                "%(count)s here, but an entry of a %(contest)s event has "
                "%(size)s players or more."
            )
        wrong.append(format_problem(where, text, count=len(ids), contest=contest, size=least))


def _read_sessions(
    listed: list[Any], contest: str, entries: set[int | None], wrong: Problems
) -> list[FiledSession]:
    sessions = []
    for place, session in enumerate(listed):
        where = f"sessions[{place}]"
        if session is None:
            continue
        number = session.get("number")
        if number not in (None, place + 1):
            text = _("Sessions must be numbered from 1. This one must be number %(number)s.")
            wrong.append(format_problem(f"{where}.number", text, number=place + 1))
        sessions.append(_read_session(session, contest, entries, where, wrong))
    return sessions


def _check_trumps(listed: list[Any], trumps: str, *, in_points: bool, wrong: Problems) -> None:
    """Check that boards and results match the way in which the event determines trumps.

    Trumps are turned up, declared at the table, or one suit for the whole event.
    """
    for place, session in enumerate(listed):
        where = f"sessions[{place}]"
        for number, board in enumerate((session or {}).get("boards") or []):
            if trumps == "turned" and board is not None and "turn_up" not in board:
                wrong.append(
                    format_problem(f"{where}.boards[{number}].turn_up", _("This is missing."))
                )
        for part, section in enumerate((session or {}).get("sections") or []):
            for number, result in enumerate((section or {}).get("results") or []):
                declared = str((result or {}).get("trump") or "")
                path = f"{where}.sections[{part}].results[{number}].trump"
                if text := _find_trump_fault(declared, trumps, in_points=in_points):
                    wrong.append(format_problem(path, text))


def _check_other_suits(
    event: Mapping[str, Any], contest: str, trumps: str, wrong: Problems
) -> None:
    if not event.get("other_suits"):
        return
    try:
        check_second_play(contest, trumps)
    except InvalidSecondPlay as refused:
        wrong.append(format_problem("event.other_suits", str(refused)))


def _find_trump_fault(declared: str, trumps: str, *, in_points: bool) -> str:
    """Return the reason why a result's declared trump is invalid; empty if it is valid."""
    if not declared:
        return ""
    if trumps != "declared":
        return _("Delete this trump, or set event.trumps to declared.")
    if not in_points and declared not in list(Suit):
        return _("No trump and doubled need event.most_points. Use S, H, D or C.")
    return ""


def _read_session(
    session: Mapping[str, Any],
    contest: str,
    entries: set[int | None],
    where: str,
    wrong: Problems,
) -> FiledSession:
    sections: dict[str, FiledSection] = {}
    seated: dict[int, str] = {}
    sizes: dict[int, str] = {}
    for place, section in enumerate(session.get("sections") or []):
        path = f"{where}.sections[{place}]"
        letter = (section or {}).get("letter")
        if letter in sections:
            wrong.append(
                format_problem(
                    f"{path}.letter", _("Section %(letter)s is given twice."), letter=letter
                )
            )
        found = read_section(section or {}, contest, entries, seated, sizes, path, wrong)
        if found is not None:
            sections[found.letter] = found
    boards_a_round = next(iter(sizes), 4)
    last = boards_a_round * max((each.board_groups for each in sections.values()), default=0)
    if last > MAX_SESSION_NUMBER:
        text = _("This needs %(boards)s boards, but a session has at most %(most)s.")
        wrong.append(format_problem(where, text, boards=last, most=MAX_SESSION_NUMBER))
    if sections:
        check_strays(session, last, where, wrong)
    deals = _read_boards(session.get("boards"), last, f"{where}.boards", wrong)
    return FiledSession(
        number=session.get("number") or 0,
        boards_a_round=boards_a_round,
        deals=deals or None,
        sections=tuple(sections[letter] for letter in sorted(sections)),
        across_sections=bool(session.get("across_sections")),
        date=_read_date(session.get("date"), wrong, f"{where}.date"),
    )


def _read_boards(listed: Any, last: int, where: str, wrong: Problems) -> dict[int, Deal]:
    deals: dict[int, Deal] = {}
    seen: set[int] = set()
    for place, board in enumerate(listed or []):
        path = f"{where}[{place}]"
        number: Any = (board or {}).get("number")
        if number in seen:
            wrong.append(
                format_problem(
                    f"{path}.number", _("Board %(board)s is given twice."), board=number
                )
            )
        elif number is not None and last and number > last:
            text = _("The session's movement has only boards 1 to %(last)s.")
            wrong.append(format_problem(f"{path}.number", text, last=last))
        seen.add(number)
        if is_complete(board, "number", "dealer", "deal"):
            deal = _read_deal(board, path, wrong)
            if deal is not None:
                deals[number] = deal
    return deals


def _read_deal(board: Mapping[str, Any], where: str, wrong: Problems) -> Deal | None:
    """Read the deal of a board, and check that its four hands make up a pack (rules B4)."""
    dealer = Seat(board["dealer"])
    before = len(wrong)
    try:
        hands = read_hands(board["deal"])
    except WhistError as problem:
        wrong.append(format_problem(f"{where}.deal", str(problem)))
        return None
    if faults := list_problems(hands, dealer, None):
        wrong.append(format_problem(f"{where}.deal", format_problems(faults)))
    try:
        turn_up = Card.parse(board["turn_up"]) if "turn_up" in board else None
    except UnreadableCard as problem:
        wrong.append(format_problem(f"{where}.turn_up", str(problem)))
        return None
    if turn_up is not None and turn_up not in hands[dealer]:
        text = _("%(card)s isn't in the hand of %(seat)s, the dealer.")
        wrong.append(
            format_problem(f"{where}.turn_up", text, card=turn_up.code, seat=dealer.word)
        )
    if len(wrong) > before:
        return None
    return Deal({seat: frozenset(hand) for seat, hand in hands.items()}, dealer, turn_up)
