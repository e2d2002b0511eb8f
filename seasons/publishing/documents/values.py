"""The schema of published documents, as frozen dataclasses of the parsed values.

The fields are the keys of the released format. The module `writing` creates the documents.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Annotated, Any, Literal
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from boards.whist import ALL_DECLARATIONS, Card, Deal, Declaration, Seat, Suit, WhistError
from boards.whist.notation import read_deal
from clubs.file_fields import Day, Slug, UnusableFile, build_line_reader, build_slug_reader
from scoring.methods import METHODS_BY_NAME
from scoring.sheets.values import RankedGroup
from server.json_reader.formats import JsonKey, check_format, read_document, report_duplicates
from server.json_reader.problems import JsonPath, format_problem, format_value
from server.json_reader.values import (
    Reader,
    build_choice_reader,
    build_converting_reader,
    build_text_reader,
    build_whole_number_reader,
)
from tournaments.models import MAX_POINTS_PER_BOARD, Event

DOCUMENT_FORMAT = "whist-published/1"
EVENT_KIND, SEASON_KIND, DRIVE_KIND = "event", "season", "drive"
DOCUMENT_KINDS = (EVENT_KIND, SEASON_KIND, DRIVE_KIND)
MAX_DOCUMENT_BYTES = 5_000_000
"""The maximum size of one document in bytes."""

Document = Mapping[str, Any]
MAX_WHOLE_NUMBER = 100_000


def serialize_document(document: Document) -> bytes:
    """Serialize a document as bytes; equal documents give identical bytes."""
    json_text = json.dumps(
        document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return json_text.encode()


def compute_digest(document: Document) -> str:
    """Return the SHA-256 of a document's bytes, in hexadecimal."""
    return sha256(serialize_document(document)).hexdigest()


Name = Annotated[str, build_line_reader(200)]
JoinedNames = Annotated[str, build_line_reader(1000)]
Paragraph = Annotated[str, build_line_reader(2000)]
Count = Annotated[int, build_whole_number_reader(0, MAX_WHOLE_NUMBER)]
PositiveNumber = Annotated[int, build_whole_number_reader(1, MAX_WHOLE_NUMBER)]
NoteTexts = tuple[Annotated[str, build_text_reader(2000, 0)], ...]
Uid = Annotated[
    str,
    build_converting_reader(
        lambda value: str(UUID(value)),
        build_text_reader(36),
        gettext_noop("This isn’t a permanent name."),
    ),
]


def _parse_won_and_played(value: Any, json_path: JsonPath) -> Any:
    """Parse two numbers, those won and those played."""
    match value:
        case [int(won), int(played)] if 0 <= won <= played < MAX_WHOLE_NUMBER:
            return won, played
    return json_path.report(_("Enter two whole numbers: how many were won, and of how many."))


def _create_code_reader(codes: Iterable[str]) -> Reader:
    return build_choice_reader([str(code) for code in codes])


@dataclass(frozen=True, slots=True)
class PublishedPerson:
    """A person of an entry by public name; `named` is whether this is the full name."""

    name: Name
    named: bool


@dataclass(frozen=True, slots=True)
class PublishedEntry:
    """An entry with its people; `sat_out` has the session and the round of each sit-out."""

    number: PositiveNumber
    name: JoinedNames
    people: tuple[PublishedPerson, ...]
    sat_out: tuple[tuple[PositiveNumber, PositiveNumber], ...]


@dataclass(frozen=True, slots=True)
class PublishedSide:
    """One side at a table on a board: its entries, its seat label, and its result."""

    entries: tuple[PositiveNumber, ...]
    label: Annotated[str, build_line_reader(40)] = ""
    name: JoinedNames = ""
    tricks: Annotated[int | None, build_whole_number_reader(0, 13)] = None
    counts: Fraction | None = None  # the result that counts after a ruling; None without one
    score: Fraction | None = None
    mark: Annotated[str, build_line_reader(10)] = ""
    points: Annotated[int | None, build_whole_number_reader(0, MAX_POINTS_PER_BOARD)] = (
        None  # unless the event is scored in points
    )

    @property
    def points_or_tricks(self) -> int | None:
        """The points of the side if the event counts points, else the tricks."""
        return self.tricks if self.points is None else self.points


@dataclass(frozen=True, slots=True)
class PublishedPlay:
    """The play of a board at one table."""

    round: PositiveNumber
    place: Annotated[str, build_line_reader(10)]  # the label of the table, e.g. "3"
    notes: NoteTexts
    ns: PublishedSide
    ew: PublishedSide
    section: Annotated[str, build_line_reader(2)] = ""
    outcome: Literal["", "played", "not_played"] = ""
    ruled: Literal["", "void", "average", "adjusted", "revoke", "new_deal"] = ""
    trumps: Annotated[
        Declaration | None,
        build_converting_reader(
            Declaration.parse,
            _create_code_reader(declaration.code for declaration in ALL_DECLARATIONS),
        ),
    ] = None  # the trumps that this table declared, if any

    @property
    def ns_score(self) -> Fraction | None:
        """The score of North-South."""
        return self.ns.score

    @property
    def ew_score(self) -> Fraction | None:
        """The score of East-West."""
        return self.ew.score


@dataclass(frozen=True, slots=True)
class PublishedBoard:
    """A board with all its results; the hands are included only once they are public."""

    session: PositiveNumber
    number: Annotated[int, JsonKey("board"), build_whole_number_reader(1, MAX_WHOLE_NUMBER)]
    plays: tuple[PublishedPlay, ...]
    dealer: Seat = Seat.NORTH
    hands: Annotated[str, build_line_reader(100)] = ""
    turn_up: Annotated[str, build_line_reader(3)] = ""
    trumps: Suit | None = None
    best: Annotated[int | None, build_whole_number_reader(0, 13)] = (
        None  # N-S tricks if all play best
    )
    average: Fraction | None = None

    @property
    def deal(self) -> Deal | None:
        """The deal of the board; None while it is secret."""
        if not self.hands:
            return None
        card = Card.parse(self.turn_up) if self.turn_up else None
        return read_deal(self.hands, self.dealer, card, self.trumps)

    def validate(self, json_path: JsonPath) -> None:
        """Report a problem if the deal cannot be parsed."""
        try:
            _deal = self.deal
        except WhistError as error:
            json_path.get_key_path("hands").report(str(error))


@dataclass(frozen=True, slots=True)
class PublishedSession:
    """A session of an event, with its date."""

    number: PositiveNumber
    day: Annotated[Day, JsonKey("date")]


@dataclass(frozen=True, slots=True)
class PublishedEvent:
    """A closed event with its sessions, entries, standings and boards."""

    uid: Uid
    club: Name
    slug: Annotated[str, build_slug_reader(80)]
    name: Name
    day: Annotated[Day, JsonKey("date")]
    contest: Annotated[str, build_choice_reader(Event.Contest.values)]
    method: Annotated[str, _create_code_reader(METHODS_BY_NAME)]
    sessions: tuple[PublishedSession, ...]
    fields: tuple[RankedGroup, ...]
    entries: tuple[PublishedEntry, ...]
    boards: tuple[PublishedBoard, ...]

    @property
    def entries_by_number(self) -> dict[int, PublishedEntry]:
        """The event's entries by number."""
        return {entry.number: entry for entry in self.entries}

    def validate(self, json_path: JsonPath) -> None:
        """Report duplicate entry numbers, and references to unknown entry numbers."""
        report_duplicates(
            (item_path, entry_data.number)
            for item_path, entry_data in json_path.iter_items("entries", self.entries)
        )
        used_numbers = {row.entry for ranked_group in self.fields for row in ranked_group.rows}
        plays = [play for board in self.boards for play in board.plays]
        used_numbers |= {
            entry_number
            for play in plays
            for entry_number in (*play.ns.entries, *play.ew.entries)
        }
        for entry_number in sorted(used_numbers - self.entries_by_number.keys())[:10]:
            message = _("Entry %(number)s is missing, but a player is listed under it.")
            json_path.get_key_path("entries").report(message, number=entry_number)


@dataclass(frozen=True, slots=True)
class PublishedLadderRow:
    """One row of a ladder."""

    rank: Count  # 0 with fewer evenings than the minimum
    tied: bool
    who: NoteTexts
    named: bool  # whether all people of the row are shown by full name
    evenings: Count
    needs: Count  # the number of further evenings needed to be ranked
    total: Annotated[Fraction, JsonKey("value")]
    marks: Paragraph = ""

    @property
    def names(self) -> str:
        """The names of the row's people as one text."""
        return " & ".join(self.who)


@dataclass(frozen=True, slots=True)
class PublishedLadder:
    """A ladder of a season with its rows."""

    slug: Slug
    name: Name
    rule: Paragraph
    heading: Name
    signed: bool
    evenings: Count
    places: tuple[PublishedLadderRow, ...]


@dataclass(frozen=True, slots=True)
class PublishedSeason:
    """A season with its ladders."""

    uid: Uid
    club: Name
    slug: Annotated[str, build_slug_reader(80)]
    name: Name
    first_day: Annotated[Day, JsonKey("from")]
    last_day: Annotated[Day, JsonKey("to")]
    ladders: tuple[PublishedLadder, ...]

    def validate(self, json_path: JsonPath) -> None:
        """Report ladders that have the same slug."""
        ladders = json_path.iter_items("ladders", self.ladders)
        report_duplicates(
            (item_path.get_key_path("slug"), ladder.slug) for item_path, ladder in ladders
        )


@dataclass(frozen=True, slots=True)
class PublishedDrivePlace:
    """A player's place in a drive or a rubber night.

    `rubbers` and `games` each have the number won and the number played.
    """

    rank: PositiveNumber
    tied: bool
    name: Name
    points: Fraction
    rests: Count = 0
    rubbers: Annotated[tuple[int, int], _parse_won_and_played] = (0, 0)
    games: Annotated[tuple[int, int], _parse_won_and_played] = (0, 0)


@dataclass(frozen=True, slots=True)
class PublishedPrize:
    """A prize, its winner, and the reason; the winner is "" while unknown."""

    words: Name
    name: Name = ""
    why: JoinedNames = ""


@dataclass(frozen=True, slots=True)
class PublishedDrive:
    """A closed whist drive or rubber night, with its players' places and its prizes."""

    uid: Uid
    club: Name
    slug: Annotated[str, build_slug_reader(80)]
    name: Name
    day: Annotated[Day, JsonKey("date")]
    variety: Literal["drive", "rubber"]
    places: tuple[PublishedDrivePlace, ...]
    prizes: tuple[PublishedPrize, ...]

    @property
    def is_drive(self) -> bool:
        """Whether the document describes a whist drive, and not a rubber night."""
        return self.variety == "drive"


PublishedDocument = PublishedEvent | PublishedSeason | PublishedDrive
DOCUMENT_CLASSES_BY_KIND: Mapping[str, type[PublishedDocument]] = {
    EVENT_KIND: PublishedEvent,
    SEASON_KIND: PublishedSeason,
    DRIVE_KIND: PublishedDrive,
}


def read_published_document(document: Mapping[str, Any]) -> PublishedDocument:
    """Parse a published document; raise UnusableFile with all its problems."""
    check_format(document, DOCUMENT_FORMAT, UnusableFile)
    document_kind = document.get("kind")
    if not isinstance(document_kind, str) or document_kind not in DOCUMENT_CLASSES_BY_KIND:
        message = _("%(shown)s isn’t known. Enter %(choices)s.")
        choices = _(" or ").join(DOCUMENT_KINDS)
        raise UnusableFile(
            [
                format_problem(
                    "kind", message, shown=format_value(document_kind), choices=choices
                )
            ]
        )
    document_content = {
        key: value for key, value in document.items() if key not in ("format", "kind")
    }
    return read_document(
        document_content, DOCUMENT_CLASSES_BY_KIND[document_kind], UnusableFile
    )
