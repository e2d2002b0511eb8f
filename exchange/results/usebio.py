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
TRICK_POINTS_BY_SUIT: Mapping[Suit | None, int] = {
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
    root_element = Element("USEBIO", Version="1.2")
    club_element = SubElement(root_element, "CLUB")
    _add_text_element(club_element, "CLUB_NAME", results.event.club.name)
    _add_text_element(club_element, "CLUB_ID_NUMBER", "")
    event_element = SubElement(root_element, "EVENT", EVENT_TYPE=_get_event_type(results))
    _add_event_header(event_element, results)
    _add_participants(event_element, results)
    _add_boards(event_element, results)
    _add_hands(root_element, results.deals_by_board)
    indent(root_element, " ")
    header = f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE USEBIO SYSTEM "{DTD_URL}">\n'
    return (header + tostring(root_element, encoding="unicode") + "\n").encode()


def compute_contract_score(tricks: int, trumps: Suit | None) -> int:
    """Return the bridge score of a contract of one, not vulnerable, for a number of tricks."""
    odd_tricks = tricks - BOOK_TRICKS
    if odd_tricks < 1:
        return -UNDERTRICK_PENALTY * (1 - odd_tricks)
    first_trick_bonus = 0 if trumps else FIRST_NO_TRUMP_BONUS
    return odd_tricks * TRICK_POINTS_BY_SUIT[trumps] + first_trick_bonus + PART_SCORE_BONUS


def _get_event_type(results: EventResults) -> str:
    contest_code = results.event.contest
    if contest_code == Event.Contest.TEAMS:
        return "TEAMS_OF_FOUR"
    if contest_code == Event.Contest.INDIVIDUAL:
        return "INDIVIDUAL"
    return "MP_PAIRS" if results.method.code == "matchpoints" else "AGGREGATE"


def _add_event_header(event_element: Element, results: EventResults) -> None:
    session_pools = {(play.session_number, play.pool) for play in results.plays}
    section_count = max(
        Counter(session_number for session_number, _pool in session_pools).values(), default=1
    )
    for tag, element_text in (
        ("EVENT_IDENTIFIER", results.event.slug),
        ("EVENT_DESCRIPTION", results.event.name),
        ("PROGRAM_NAME", "Overplay"),
        ("PROGRAM_VERSION", VERSION),
        ("WINNER_TYPE", str(2 if _has_two_winners(results) else 1)),
        ("TITLE", results.event.name),
        ("DATE", results.event.date.strftime("%d/%m/%Y")),
        ("SESSION_COUNT", str(len(results.sessions))),
        ("SECTION_COUNT", str(section_count)),
    ):
        _add_text_element(event_element, tag, element_text)


def _has_two_winners(results: EventResults) -> bool:
    return any(ranked_group.field for ranked_group in results.rank_table.fields)


def _add_participants(event_element: Element, results: EventResults) -> None:
    participants_element = SubElement(
        event_element, "PARTICIPANTS", EVENT_TYPE=_get_event_type(results)
    )
    for ranked_group in results.rank_table.fields:
        for rank_row in ranked_group.rows:
            entry = results.entry_names_by_number[rank_row.entry]
            participant_element = _add_participant(
                participants_element, entry, ranked_group.field, results.event.contest
            )
            _add_text_element(
                participant_element, "TOTAL_SCORE", _format_number(rank_row.score)
            )
            if rank_row.percent is not None:
                _add_text_element(
                    participant_element, "PERCENTAGE", _format_number(rank_row.percent * 100)
                )
            _add_text_element(
                participant_element, "PLACE", f"{rank_row.rank}{'=' if rank_row.tied else ''}"
            )
            is_individual = results.event.contest == Event.Contest.INDIVIDUAL
            for person in () if is_individual else entry.player_names:
                _add_text_element(
                    SubElement(participant_element, "PLAYER"), "PLAYER_NAME", person
                )


def _add_participant(
    participants_element: Element, entry: EntryNames, field_name: str, contest_code: str
) -> Element:
    if contest_code == Event.Contest.TEAMS:
        team_id = str(entry.entry_number)
        return SubElement(
            participants_element,
            "TEAM",
            TEAM_ID=team_id,
            TEAM_NAME=_remove_unprintable_characters(entry.name),
        )
    if contest_code == Event.Contest.INDIVIDUAL:
        element = SubElement(participants_element, "PLAYER")
        _add_text_element(element, "PLAYER_NUMBER", str(entry.entry_number))
        _add_text_element(element, "PLAYER_NAME", entry.name)
        return element
    element = SubElement(participants_element, "PAIR")
    _add_text_element(
        element, "PAIR_NUMBER", format_pair_number(entry.entry_number, field_name)
    )
    _add_text_element(element, "DIRECTION", field_name)
    return element


def format_pair_number(pair_number: int, field_name: str) -> str:
    """Return a pair's number in USEBIO: "1NS" if N-S and E-W have separate winners, or "1"."""
    return f"{pair_number}{field_name}"


def _add_boards(event_element: Element, results: EventResults) -> None:
    """Add a board element for each group of plays that are compared with one another.

    Bridge sites compute matchpoints from the lines within one board element.
    """
    ranking_field_by_entry = {
        rank_row.entry: ranked_group.field
        for ranked_group in results.rank_table.fields
        for rank_row in ranked_group.rows
    }
    plays = sorted(
        results.plays,
        key=lambda play_result: (
            play_result.session_number,
            play_result.pool,
            play_result.board_number,
        ),
    )
    plays_by_section = groupby(
        plays, key=lambda play_result: (play_result.session_number, play_result.pool)
    )
    play_groups = [
        (section_key, list(group_plays)) for section_key, group_plays in plays_by_section
    ]
    elements_by_session: dict[int, Element] = {}
    for (session_number, section_letter), group_plays in play_groups:
        parent_element = event_element
        if len(play_groups) > 1:
            if session_number not in elements_by_session:
                elements_by_session[session_number] = SubElement(
                    event_element, "SESSION", SESSION_ID=str(session_number)
                )
            parent_element = SubElement(
                elements_by_session[session_number], "SECTION", SECTION_ID=section_letter or "A"
            )
        for board_number, board_plays in groupby(
            group_plays, key=lambda play_result: play_result.board_number
        ):
            board_element = SubElement(parent_element, "BOARD")
            _add_text_element(board_element, "BOARD_NUMBER", str(board_number))
            for play in board_plays:
                _add_traveller_line(board_element, play, ranking_field_by_entry)


def _add_traveller_line(
    board_element: Element, play: BoardPlayResult, ranking_field_by_entry: Mapping[int, str]
) -> None:
    line_element = SubElement(board_element, "TRAVELLER_LINE")
    _add_text_element(
        line_element,
        "NS_PAIR_NUMBER",
        _format_pair_numbers(play.ns_entries, ranking_field_by_entry),
    )
    _add_text_element(
        line_element,
        "EW_PAIR_NUMBER",
        _format_pair_numbers(play.ew_entries, ranking_field_by_entry),
    )
    ns_tricks = play.traveller_line.ns_tricks
    if play.traveller_line.ns_points is not None and not play.traveller_line.ruling_kind:
        _add_text_element(line_element, "SCORE", str(play.traveller_line.ns_value))
    if ns_tricks is not None and not play.traveller_line.ruling_kind:
        declarer = play.dealer if play.trumps else Seat.NORTH
        is_ns_declarer = declarer in (Seat.NORTH, Seat.SOUTH)
        declarer_tricks = ns_tricks if is_ns_declarer else 13 - ns_tricks
        score = compute_contract_score(declarer_tricks, play.trumps)
        _add_text_element(
            line_element, "CONTRACT", f"1{play.trumps.value if play.trumps else 'NT'}"
        )
        _add_text_element(line_element, "PLAYED_BY", declarer.value)
        _add_text_element(line_element, "LEAD", "")
        _add_text_element(line_element, "TRICKS", str(declarer_tricks))
        _add_text_element(line_element, "SCORE", str(score if is_ns_declarer else -score))
    for tag, points in zip(
        ("NS_MATCH_POINTS", "EW_MATCH_POINTS"), play.matchpoints, strict=True
    ):
        if points is not None:
            _add_text_element(line_element, tag, _format_number(points))


def _format_pair_numbers(
    entry_numbers: Iterable[int], ranking_field_by_entry: Mapping[int, str]
) -> str:
    return "-".join(
        format_pair_number(entry_number, ranking_field_by_entry.get(entry_number, ""))
        for entry_number in entry_numbers
    )


def _add_hands(root_element: Element, deals_by_board: Mapping[tuple[int, int], Deal]) -> None:
    deals_by_number = _index_deals_by_number(deals_by_board)
    if not deals_by_number:
        return
    handset_element = SubElement(root_element, "HANDSET")
    for board_number, deal in sorted(deals_by_number.items()):
        board_element = SubElement(handset_element, "BOARD")
        _add_text_element(board_element, "BOARD_NUMBER", str(board_number))
        for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST):
            hand_element = SubElement(board_element, "HAND")
            _add_text_element(hand_element, "DIRECTION", seat.name.title())
            for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES):
                suit_cards = sorted(card for card in deal.hands[seat] if card.suit is suit)
                letters = [card.rank.letter for card in suit_cards]
                _add_text_element(
                    hand_element, suit.name, "".join(sorted(letters, key="AKQJT98765432".index))
                )


def _index_deals_by_number(deals_by_board: Mapping[tuple[int, int], Deal]) -> dict[int, Deal]:
    """Return the deals by board number, which identifies a board in USEBIO.

    If two sessions have different cards for a number, that board is left out. Otherwise
    programs would show the wrong hands for one session.
    """
    deals_by_number: dict[int, list[Deal]] = defaultdict(list)
    for (_session, board_number), deal in deals_by_board.items():
        deals_by_number[board_number].append(deal)
    return {
        board_number: first_deal
        for board_number, (first_deal, *other_deals) in deals_by_number.items()
        if all(deal.hands == first_deal.hands for deal in other_deals)
    }


def _add_text_element(parent_element: Element, tag: str, text: str) -> None:
    SubElement(parent_element, tag).text = _remove_unprintable_characters(text)


def _remove_unprintable_characters(text: str) -> str:
    return "".join(character for character in text if character.isprintable())


def _format_number(number: Fraction | int) -> str:
    number = Fraction(number)
    if number.denominator == 1:
        return str(number.numerator)
    return format_two_decimals(number).replace(MINUS, "-")
