"""The export of an event as USEBIO 1.2, from which bridge sites compute its matchpoints."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from boards.whist import Deal, Seat
from boards.whist.cards import Suit
from exchange.results.event_results import BoardPlayResult, EntryNames, EventResults
from server.formatting import MINUS, format_two_decimals
from server.version import VERSION
from tournaments.models import Event

DTD_URL = "http://www.ebu.co.uk/usebio/usebio_v1_2.dtd"
BOOK_TRICKS = 6
PART_SCORE_BONUS = 50
UNDERTRICK_PENALTY = 50
TRICK_POINTS: Mapping[Suit | None, int] = {
    Suit.CLUBS: 20,
    Suit.DIAMONDS: 20,
    Suit.HEARTS: 30,
    Suit.SPADES: 30,
    None: 30,
}
FIRST_NO_TRUMP_BONUS = 10
"""The extra points for the first trick above six in a no-trump contract."""


def build_usebio_file(results: EventResults) -> bytes:
    """Return the results of an event as a USEBIO file."""
    root = Element("USEBIO", Version="1.2")
    club = SubElement(root, "CLUB")
    _add_text_element(club, "CLUB_NAME", results.event.club.name)
    _add_text_element(club, "CLUB_ID_NUMBER", "")
    event = SubElement(root, "EVENT", EVENT_TYPE=_event_type(results))
    _add_head(event, results)
    _add_participants(event, results)
    _add_boards(event, results)
    _add_hands(root, results.deals)
    indent(root, " ")
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE USEBIO SYSTEM "{DTD_URL}">\n'
    return (head + tostring(root, encoding="unicode") + "\n").encode()


def compute_contract_score(tricks: int, trumps: Suit | None) -> int:
    """Return the bridge score of a contract of one, not vulnerable, for a number of tricks."""
    odd_tricks = tricks - BOOK_TRICKS
    if odd_tricks < 1:
        return -UNDERTRICK_PENALTY * (1 - odd_tricks)
    first = 0 if trumps else FIRST_NO_TRUMP_BONUS
    return odd_tricks * TRICK_POINTS[trumps] + first + PART_SCORE_BONUS


def _event_type(results: EventResults) -> str:
    contest = results.event.contest
    if contest == Event.Contest.TEAMS:
        return "TEAMS_OF_FOUR"
    if contest == Event.Contest.INDIVIDUAL:
        return "INDIVIDUAL"
    return "MP_PAIRS" if results.method.code == "matchpoints" else "AGGREGATE"


def _add_head(event: Element, results: EventResults) -> None:
    sections = {(play.session, play.pool) for play in results.plays}
    max_pools = max(Counter(session for session, _pool in sections).values(), default=1)
    for key, text in (
        ("EVENT_IDENTIFIER", results.event.slug),
        ("EVENT_DESCRIPTION", results.event.name),
        ("PROGRAM_NAME", "Overplay"),
        ("PROGRAM_VERSION", VERSION),
        ("WINNER_TYPE", str(2 if _has_two_winners(results) else 1)),
        ("TITLE", results.event.name),
        ("DATE", results.event.date.strftime("%d/%m/%Y")),
        ("SESSION_COUNT", str(len(results.sessions))),
        ("SECTION_COUNT", str(max_pools)),
    ):
        _add_text_element(event, key, text)


def _has_two_winners(results: EventResults) -> bool:
    return any(field.field for field in results.rank_table.fields)


def _add_participants(event: Element, results: EventResults) -> None:
    participants = SubElement(event, "PARTICIPANTS", EVENT_TYPE=_event_type(results))
    for field in results.rank_table.fields:
        for row in field.rows:
            entry = results.entries[row.entry]
            element = _add_participant(participants, entry, field.field, results.event.contest)
            _add_text_element(element, "TOTAL_SCORE", _format_number(row.score))
            if row.percent is not None:
                _add_text_element(element, "PERCENTAGE", _format_number(row.percent * 100))
            _add_text_element(element, "PLACE", f"{row.rank}{'=' if row.tied else ''}")
            is_one = results.event.contest == Event.Contest.INDIVIDUAL
            for person in () if is_one else entry.player_names:
                _add_text_element(SubElement(element, "PLAYER"), "PLAYER_NAME", person)


def _add_participant(
    participants: Element, entry: EntryNames, field: str, contest: str
) -> Element:
    if contest == Event.Contest.TEAMS:
        number = str(entry.number)
        return SubElement(
            participants, "TEAM", TEAM_ID=number, TEAM_NAME=_remove_unprintable(entry.name)
        )
    if contest == Event.Contest.INDIVIDUAL:
        element = SubElement(participants, "PLAYER")
        _add_text_element(element, "PLAYER_NUMBER", str(entry.number))
        _add_text_element(element, "PLAYER_NAME", entry.name)
        return element
    element = SubElement(participants, "PAIR")
    _add_text_element(element, "PAIR_NUMBER", format_pair_number(entry.number, field))
    _add_text_element(element, "DIRECTION", field)
    return element


def format_pair_number(number: int, field: str) -> str:
    """Return a pair's number in USEBIO: "1NS" if N-S and E-W have separate winners, or "1"."""
    return f"{number}{field}"


def _add_boards(event: Element, results: EventResults) -> None:
    """Add a board element for each group of plays that are compared with one another.

    Bridge sites compute matchpoints from the lines within one board element.
    """
    fields = {
        row.entry: field.field for field in results.rank_table.fields for row in field.rows
    }
    plays = sorted(
        results.plays,
        key=lambda play_result: (play_result.session, play_result.pool, play_result.board),
    )
    grouped = groupby(plays, key=lambda play_result: (play_result.session, play_result.pool))
    groups = [(key, list(group)) for key, group in grouped]
    sessions: dict[int, Element] = {}
    for (session, section), group in groups:
        inside = event
        if len(groups) > 1:
            if session not in sessions:
                sessions[session] = SubElement(event, "SESSION", SESSION_ID=str(session))
            inside = SubElement(sessions[session], "SECTION", SECTION_ID=section or "A")
        for board, lines in groupby(group, key=lambda play_result: play_result.board):
            element = SubElement(inside, "BOARD")
            _add_text_element(element, "BOARD_NUMBER", str(board))
            for play in lines:
                _add_traveller_line(element, play, fields)


def _add_traveller_line(
    board: Element, play: BoardPlayResult, fields: Mapping[int, str]
) -> None:
    line = SubElement(board, "TRAVELLER_LINE")
    _add_text_element(line, "NS_PAIR_NUMBER", _format_pair(play.ns_entries, fields))
    _add_text_element(line, "EW_PAIR_NUMBER", _format_pair(play.ew_entries, fields))
    tricks = play.line.ns_tricks
    if play.line.ns_points is not None and not play.line.ruled:
        _add_text_element(line, "SCORE", str(play.line.ns_value))
    if tricks is not None and not play.line.ruled:
        declarer = play.dealer if play.trumps else Seat.NORTH
        is_ns = declarer in (Seat.NORTH, Seat.SOUTH)
        own_tricks = tricks if is_ns else 13 - tricks
        score = compute_contract_score(own_tricks, play.trumps)
        _add_text_element(line, "CONTRACT", f"1{play.trumps.value if play.trumps else 'NT'}")
        _add_text_element(line, "PLAYED_BY", declarer.value)
        _add_text_element(line, "LEAD", "")
        _add_text_element(line, "TRICKS", str(own_tricks))
        _add_text_element(line, "SCORE", str(score if is_ns else -score))
    for key, points in zip(
        ("NS_MATCH_POINTS", "EW_MATCH_POINTS"), play.matchpoints, strict=True
    ):
        if points is not None:
            _add_text_element(line, key, _format_number(points))


def _format_pair(numbers: Iterable[int], fields: Mapping[int, str]) -> str:
    return "-".join(format_pair_number(number, fields.get(number, "")) for number in numbers)


def _add_hands(root: Element, deals: Mapping[tuple[int, int], Deal]) -> None:
    deals_by_number = _index_deals_by_number(deals)
    if not deals_by_number:
        return
    handset = SubElement(root, "HANDSET")
    for number, deal in sorted(deals_by_number.items()):
        board = SubElement(handset, "BOARD")
        _add_text_element(board, "BOARD_NUMBER", str(number))
        for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST):
            hand = SubElement(board, "HAND")
            _add_text_element(hand, "DIRECTION", seat.name.title())
            for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES):
                suit_cards = sorted(card for card in deal.hands[seat] if card.suit is suit)
                letters = [card.rank.letter for card in suit_cards]
                _add_text_element(
                    hand, suit.name, "".join(sorted(letters, key="AKQJT98765432".index))
                )


def _index_deals_by_number(deals: Mapping[tuple[int, int], Deal]) -> dict[int, Deal]:
    """Return the deals by board number, which is the only key of a board in USEBIO.

    If two sessions have different cards for a number, that board is left out. Otherwise a
    reader would see the wrong hands in one session.
    """
    deals_by_number: dict[int, list[Deal]] = defaultdict(list)
    for (_session, number), deal in deals.items():
        deals_by_number[number].append(deal)
    return {
        number: first
        for number, (first, *other_deals) in deals_by_number.items()
        if all(each.hands == first.hands for each in other_deals)
    }


def _add_text_element(parent: Element, key: str, text: str) -> None:
    SubElement(parent, key).text = _remove_unprintable(text)


def _remove_unprintable(text: str) -> str:
    return "".join(character for character in text if character.isprintable())


def _format_number(number: Fraction | int) -> str:
    number = Fraction(number)
    if number.denominator == 1:
        return str(number.numerator)
    return format_two_decimals(number).replace(MINUS, "-")
