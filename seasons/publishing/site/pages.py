"""The pages of a static site: an evening's standings, boards and scorecards, and a drive."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from boards.whist import Deal, Seat, Suit
from scoring.sheets.values import RankField, RankRow
from seasons.publishing.documents.values import (
    PublishedBoard,
    PublishedDrive,
    PublishedEntry,
    PublishedEvent,
    PublishedPlay,
    PublishedSide,
)
from server import formatting

FRONT_PAGE, BOARDS_PAGE = "index.html", "boards.html"
_PLACES = {
    Seat.NORTH: "deal__north",
    Seat.EAST: "deal__east",
    Seat.SOUTH: "deal__south",
    Seat.WEST: "deal__west",
}


@dataclass(frozen=True, slots=True)
class CardRow:
    """One row of an entry's scorecard: a board with the entry's play of it."""

    board: PublishedBoard
    play: PublishedPlay
    direction: str
    own: PublishedSide
    other: PublishedSide

    @property
    def average(self) -> Fraction | None:
        """The average number of tricks of the entry's direction on the board."""
        board_average = self.board.average
        return (
            13 - board_average
            if board_average is not None and self.direction == "E-W"
            else board_average
        )

    @property
    def score(self) -> Fraction | None:
        """The entry's score on the board."""
        return self.own.score


@dataclass(frozen=True, slots=True)
class PageFrame:
    """The values that all pages share: the frame template, the club, and links to people's
    pages.

    On a static site, `root` is the relative path to the site's root folder. Pages on a server
    do not need it.
    """

    frame: str = "seasons/site/frame.html"
    root: str = ""
    club: str = ""
    accent: str = ""
    has_logo: bool = False
    alone: bool = True  # the page is not part of a club's site
    people: Mapping[str, str] = field(default_factory=dict)  # paths by shown name
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def logo(self) -> str:
        """The relative path of the club's logo; "" if the club has none."""
        return f"{self.root}img/logo.png" if self.has_logo else ""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """One hand of a deal: the seat, whether it is the dealer's, and the cards of each suit."""

    seat: Seat
    css_class: str
    dealt: bool
    suits: tuple[tuple[Suit, str], ...]


@dataclass(frozen=True, slots=True)
class BoardPart:
    """One board on the page with all boards of an evening."""

    board: PublishedBoard
    anchor: str
    hands: tuple[ShownHand, ...]


def render_evening_page(event: PublishedEvent, name: str, frame: PageFrame) -> str | None:
    """Render the page of an evening with this file name; None if there is no such page."""
    if name == FRONT_PAGE:
        return _render_standings(event, frame)
    if name == BOARDS_PAGE:
        return _render_boards(event, frame)
    entry = next(
        (entry_ for entry_ in event.entries if build_card_file_name(entry_.number) == name),
        None,
    )
    return None if entry is None else _render_scorecard(event, entry, frame)


def render_evening_pages(event: PublishedEvent, frame: PageFrame) -> Iterator[tuple[str, str]]:
    """Yield the file name and the HTML of each page of an evening."""
    names = [
        FRONT_PAGE,
        BOARDS_PAGE,
        *(build_card_file_name(entry.number) for entry in event.entries),
    ]
    for name in names:
        page = render_evening_page(event, name, frame)
        assert page is not None
        yield name, page


def build_card_file_name(number: int) -> str:
    """Return the file name of an entry's scorecard."""
    return f"card-{number}.html"


def _render_standings(event: PublishedEvent, frame: PageFrame) -> str:
    rows = [row for field_ in event.fields for row in field_.rows]
    cards = {entry.number for entry in event.entries}
    return render_page("evening", frame, evening=event, rows=rows, cards=cards)


def _render_boards(event: PublishedEvent, frame: PageFrame) -> str:
    board_parts = [
        BoardPart(
            board,
            build_board_anchor(event, board),
            _build_hands(board.deal) if board.deal else (),
        )
        for board in event.boards
    ]
    by_session = [
        (number, list(group))
        for number, group in groupby(board_parts, key=lambda part: part.board.session)
    ]
    return render_page("boards", frame, evening=event, sessions=by_session)


def _render_scorecard(event: PublishedEvent, entry: PublishedEntry, frame: PageFrame) -> str:
    field_place = _find_place(event, entry.number)
    lines = sorted(
        iter_card_rows(event, entry.number),
        key=lambda line: (line.board.session, line.play.round, line.board.number),
    )
    people = [(person.name, frame.people.get(person.name, "")) for person in entry.people]
    return render_page(
        "card",
        frame,
        evening=event,
        entry=entry,
        field=field_place[0] if field_place else None,
        row=field_place[1] if field_place else None,
        boards_score=_compute_boards_score(lines, field_place[1]) if field_place else None,
        sessions=[
            (number, [(line, build_board_anchor(event, line.board)) for line in group])
            for number, group in groupby(lines, key=lambda line: line.board.session)
        ],
        has_several=len({line.board.session for line in lines}) > 1,
        figures=lines,
        people=[person for person in people if person[1]],
    )


def _compute_boards_score(lines: Sequence[CardRow], row: RankRow) -> Fraction | None:
    """Return the sum of an entry's board scores if it differs from the entry's total, else
    None.

    They differ if there are penalties or a carry-over.
    """
    scores = [line.score for line in lines if line.score is not None]
    score_sum = sum(scores, Fraction())
    is_whole = bool(lines) and len(scores) == len(lines)
    return score_sum if is_whole and row.percent is None and score_sum != row.score else None


def iter_card_rows(event: PublishedEvent, number: int) -> Iterator[CardRow]:
    """Yield the boards that an entry played, in the document's order."""
    for board in event.boards:
        for play in board.plays:
            if number in play.ns.entries:
                yield CardRow(board, play, _("N-S"), play.ns, play.ew)
            elif number in play.ew.entries:
                yield CardRow(board, play, _("E-W"), play.ew, play.ns)


def _find_place(event: PublishedEvent, number: int) -> tuple[RankField, RankRow] | None:
    for field_ in event.fields:
        for row in field_.rows:
            if row.entry == number:
                return field_, row
    return None


def build_board_anchor(event: PublishedEvent, board: PublishedBoard) -> str:
    """Return the HTML anchor of a board on the page with all boards."""
    return (
        f"board-{board.number}"
        if len(event.sessions) == 1
        else f"board-{board.session}-{board.number}"
    )


def _build_hands(deal: Deal) -> tuple[ShownHand, ...]:
    hands = []
    for seat in Seat:
        sorted_cards = sorted(deal.hands[seat])
        suits = tuple(
            (suit, " ".join(card.rank.text for card in sorted_cards if card.suit is suit))
            for suit in Suit
        )
        hands.append(ShownHand(seat, _PLACES[seat], seat is deal.dealer, suits))
    return tuple(hands)


def render_page(template: str, frame: PageFrame, **context: object) -> str:
    """Render a page of the site with its template and frame."""
    return render_to_string(
        f"seasons/site/{template}.html", {"around_site": frame, **frame.more, **context}
    )


def render_drive_page(drive: PublishedDrive, frame: PageFrame) -> str:
    """Render the page of a whist drive or a rubber night."""
    points = [place.points for place in drive.places]
    return render_page(
        "drive",
        frame,
        drive=drive,
        column=formatting.choose_column_format(points, with_sign=not drive.is_drive),
        has_rests=any(place.rests for place in drive.places),
        has_rubbers=any(place.rubbers and place.rubbers[1] for place in drive.places),
    )
