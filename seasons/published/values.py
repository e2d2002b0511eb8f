"""A published document, read: frozen values that pages are drawn from."""

from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction

from boards.whist import Deal, Declared, Seat
from scoring.sheets.values import RankField


@dataclass(frozen=True, slots=True)
class PublishedPerson:
    """Somebody of an entry, as everybody may read the name; `named` if it is the whole one."""

    name: str
    named: bool


@dataclass(frozen=True, slots=True)
class PublishedEntry:
    """An entry, its people, and the rounds that it sat out, each with its session."""

    number: int
    name: str
    people: tuple[PublishedPerson, ...]
    sat_out: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PublishedSide:
    """One side of a table: its entries, what it is called, and what it made of a board."""

    entries: tuple[int, ...]
    label: str
    name: str
    tricks: int | None
    counts: Fraction | None  # where a ruling decides what counts
    score: Fraction | None
    mark: str
    points: int | None = None  # that it won, where the event counts points

    @property
    def made(self) -> int | None:
        """What stands on paper for it: tricks, or points."""
        return self.tricks if self.points is None else self.points


@dataclass(frozen=True, slots=True)
class PublishedPlay:
    """One table's play of a board."""

    section: str
    round: int
    place: str  # the table, as players know it
    outcome: str  # "played", "not_played" or ""
    ruled: str
    trumps: Declared | None  # what the table declared
    notes: tuple[str, ...]
    ns: PublishedSide
    ew: PublishedSide

    @property
    def ns_score(self) -> Fraction | None:
        """What it counts for N-S."""
        return self.ns.score

    @property
    def ew_score(self) -> Fraction | None:
        """What it counts for E-W."""
        return self.ew.score


@dataclass(frozen=True, slots=True)
class PublishedBoard:
    """A board with everything that was made of it; the deal only where it is no secret."""

    session: int
    number: int
    dealer: Seat
    deal: Deal | None
    best: int | None  # N-S tricks of best play
    average: Fraction | None
    plays: tuple[PublishedPlay, ...]


@dataclass(frozen=True, slots=True)
class PublishedEvent:
    """An evening that is over."""

    uid: str
    club: str
    slug: str
    name: str
    day: Date
    contest: str
    method: str
    sessions: tuple[tuple[int, Date], ...]
    fields: tuple[RankField, ...]
    entries: tuple[PublishedEntry, ...]
    boards: tuple[PublishedBoard, ...]

    @property
    def called(self) -> dict[int, PublishedEntry]:
        """The entries by their numbers."""
        return {each.number: each for each in self.entries}


@dataclass(frozen=True, slots=True)
class PublishedPlace:
    """One line of a ladder."""

    rank: int  # 0 below the minimum
    tied: bool
    who: tuple[str, ...]
    named: bool  # whether all of them are shown by name
    evenings: int
    needs: int
    total: Fraction
    marks: str

    @property
    def names(self) -> str:
        """Who it is, in one line."""
        return " & ".join(self.who)


@dataclass(frozen=True, slots=True)
class PublishedLadder:
    """A ladder of a season."""

    slug: str
    name: str
    rule: str
    heading: str
    signed: bool
    evenings: int
    places: tuple[PublishedPlace, ...]


@dataclass(frozen=True, slots=True)
class PublishedSeason:
    """A season with its ladders."""

    uid: str
    club: str
    slug: str
    name: str
    first_day: Date
    last_day: Date
    ladders: tuple[PublishedLadder, ...]


@dataclass(frozen=True, slots=True)
class PublishedDrivePlace:
    """Somebody's place in a drive or a night; of pairs of numbers the first were won."""

    rank: int
    tied: bool
    name: str
    points: Fraction
    rests: int = 0
    rubbers: tuple[int, int] = (0, 0)
    games: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class PublishedPrize:
    """A prize, who has it ("" for nobody yet), and why."""

    words: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class PublishedDrive:
    """A whist drive, or a rubber night, that is over."""

    uid: str
    club: str
    slug: str
    name: str
    day: Date
    is_drive: bool
    places: tuple[PublishedDrivePlace, ...]
    prizes: tuple[PublishedPrize, ...]
