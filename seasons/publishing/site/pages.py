"""The pages of a static site: an evening's standings, boards and scorecards, and a drive."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from boards.whist import Deal, Seat, Suit
from scoring.sheets.values import RankedGroup, RankRow
from seasons.publishing.documents.values import (
    PublishedBoard,
    PublishedDrive,
    PublishedEntry,
    PublishedEvent,
    PublishedPlay,
    PublishedSide,
)
from server import formatting

FRONT_PAGE_FILE_NAME, BOARDS_PAGE_FILE_NAME = "index.html", "boards.html"
_CSS_CLASS_BY_SEAT = {
    Seat.NORTH: "deal__north",
    Seat.EAST: "deal__east",
    Seat.SOUTH: "deal__south",
    Seat.WEST: "deal__west",
}


@dataclass(frozen=True, slots=True)
class ScorecardRow:
    """One row of an entry's scorecard: a board, and the result of the entry on it."""

    board: PublishedBoard
    play: PublishedPlay
    direction: str
    own_side: PublishedSide
    other_side: PublishedSide

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
        return self.own_side.score


@dataclass(frozen=True, slots=True)
class PageFrame:
    """The values that all pages share: frame template, club, and links to people's pages.

    On a static site, `root` is the relative path to the site's root folder. Pages on a server
    do not need it.
    """

    frame_template: str = "seasons/site/frame.html"
    root: str = ""
    club_name: str = ""
    accent: str = ""
    has_logo: bool = False
    is_standalone: bool = True  # the page is not part of a club's site
    path_by_person_name: Mapping[str, str] = field(default_factory=dict)  # paths by shown name
    extra_context: Mapping[str, object] = field(default_factory=dict)

    @property
    def logo(self) -> str:
        """The relative path of the club's logo; "" if the club has none."""
        return f"{self.root}img/logo.png" if self.has_logo else ""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """One hand of a deal: the seat, whether it is the dealer's, and the cards of each suit."""

    seat: Seat
    css_class: str
    is_dealer: bool
    suits: tuple[tuple[Suit, str], ...]


@dataclass(frozen=True, slots=True)
class BoardSection:
    """One board on the page with all boards of an evening."""

    board: PublishedBoard
    anchor: str
    hands: tuple[ShownHand, ...]


def render_evening_page(
    event: PublishedEvent, file_name: str, page_frame: PageFrame
) -> str | None:
    """Render the page of an evening with this file name; None if there is no such page."""
    if file_name == FRONT_PAGE_FILE_NAME:
        return _render_standings(event, page_frame)
    if file_name == BOARDS_PAGE_FILE_NAME:
        return _render_boards(event, page_frame)
    entry = next(
        (
            entry
            for entry in event.entries
            if build_scorecard_file_name(entry.number) == file_name
        ),
        None,
    )
    return None if entry is None else _render_scorecard(event, entry, page_frame)


def render_evening_pages(
    event: PublishedEvent, page_frame: PageFrame
) -> Iterator[tuple[str, str]]:
    """Yield the file name and the HTML of each page of an evening."""
    file_names = [
        FRONT_PAGE_FILE_NAME,
        BOARDS_PAGE_FILE_NAME,
        *(build_scorecard_file_name(entry.number) for entry in event.entries),
    ]
    for file_name in file_names:
        html = render_evening_page(event, file_name, page_frame)
        assert html is not None
        yield file_name, html


def build_scorecard_file_name(entry_number: int) -> str:
    """Return the file name of an entry's scorecard."""
    return f"card-{entry_number}.html"


def _render_standings(event: PublishedEvent, page_frame: PageFrame) -> str:
    rank_rows = [rank_row for ranked_group in event.fields for rank_row in ranked_group.rows]
    entry_numbers = {entry.number for entry in event.entries}
    return render_page(
        "evening", page_frame, evening=event, rows=rank_rows, cards=entry_numbers
    )


def _render_boards(event: PublishedEvent, page_frame: PageFrame) -> str:
    board_sections = [
        BoardSection(
            board,
            build_board_anchor(event, board),
            _build_hands(board.deal) if board.deal else (),
        )
        for board in event.boards
    ]
    numbered_sessions = [
        (session_number, list(session_items))
        for session_number, session_items in groupby(
            board_sections, key=lambda board_section: board_section.board.session
        )
    ]
    return render_page("boards", page_frame, evening=event, sessions=numbered_sessions)


def _render_scorecard(
    event: PublishedEvent, entry: PublishedEntry, page_frame: PageFrame
) -> str:
    field_and_row = _find_field_and_row(event, entry.number)
    scorecard_rows = sorted(
        iter_scorecard_rows(event, entry.number),
        key=lambda scorecard_row: (
            scorecard_row.board.session,
            scorecard_row.play.round,
            scorecard_row.board.number,
        ),
    )
    people = [
        (person.name, page_frame.path_by_person_name.get(person.name, ""))
        for person in entry.people
    ]
    return render_page(
        "card",
        page_frame,
        evening=event,
        entry=entry,
        field=field_and_row[0] if field_and_row else None,
        row=field_and_row[1] if field_and_row else None,
        boards_score=_compute_boards_score(scorecard_rows, field_and_row[1])
        if field_and_row
        else None,
        sessions=[
            (
                session_number,
                [
                    (scorecard_row, build_board_anchor(event, scorecard_row.board))
                    for scorecard_row in session_items
                ],
            )
            for session_number, session_items in groupby(
                scorecard_rows, key=lambda scorecard_row: scorecard_row.board.session
            )
        ],
        has_several=len({scorecard_row.board.session for scorecard_row in scorecard_rows}) > 1,
        figures=scorecard_rows,
        people=[person for person in people if person[1]],
    )


def _compute_boards_score(
    scorecard_rows: Sequence[ScorecardRow], rank_row: RankRow
) -> Fraction | None:
    """Return the sum of an entry's board scores, or None if it equals the entry's total.

    The sum differs from the total if there are penalties or a carry-over.
    """
    scores = [
        scorecard_row.score
        for scorecard_row in scorecard_rows
        if scorecard_row.score is not None
    ]
    score_sum = sum(scores, Fraction())
    are_all_boards_scored = bool(scorecard_rows) and len(scores) == len(scorecard_rows)
    return (
        score_sum
        if are_all_boards_scored and rank_row.percent is None and score_sum != rank_row.score
        else None
    )


def iter_scorecard_rows(event: PublishedEvent, entry_number: int) -> Iterator[ScorecardRow]:
    """Yield the boards that an entry played, in the document's order."""
    for board in event.boards:
        for play in board.plays:
            if entry_number in play.ns.entries:
                yield ScorecardRow(board, play, _("N-S"), play.ns, play.ew)
            elif entry_number in play.ew.entries:
                yield ScorecardRow(board, play, _("E-W"), play.ew, play.ns)


def _find_field_and_row(
    event: PublishedEvent, entry_number: int
) -> tuple[RankedGroup, RankRow] | None:
    for ranked_group in event.fields:
        for row in ranked_group.rows:
            if row.entry == entry_number:
                return ranked_group, row
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
        hands.append(ShownHand(seat, _CSS_CLASS_BY_SEAT[seat], seat is deal.dealer, suits))
    return tuple(hands)


def render_page(template_name: str, page_frame: PageFrame, **context: object) -> str:
    """Render a page of the site with its template and frame."""
    return render_to_string(
        f"seasons/site/{template_name}.html",
        {"around_site": page_frame, **page_frame.extra_context, **context},
    )


def render_drive_page(drive: PublishedDrive, page_frame: PageFrame) -> str:
    """Render the page of a whist drive or a rubber night."""
    points = [drive_place.points for drive_place in drive.places]
    return render_page(
        "drive",
        page_frame,
        drive=drive,
        column=formatting.choose_column_format(points, has_sign=not drive.is_drive),
        has_rests=any(drive_place.rests for drive_place in drive.places),
        has_rubbers=any(
            drive_place.rubbers and drive_place.rubbers[1] for drive_place in drive.places
        ),
    )
