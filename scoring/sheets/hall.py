"""Sheets for the whole room: the wall, what is read out, and a guide for each entry."""

from dataclasses import dataclass

from printing.values import Heading


@dataclass(frozen=True, slots=True)
class WallCell:
    """One table in one round; where it stands empty nobody is named."""

    ns: str
    ew: str
    boards: str  # "1–4"; empty in a sit-out
    note: str = ""  # "shares with table 1"


@dataclass(frozen=True, slots=True)
class WallSheet:
    """The whole movement of one section; each round is a row of cells, one a table."""

    heading: Heading
    movement: str
    tables: tuple[str, ...]  # as players know them: "13", in one of several sections "A13"
    rounds: tuple[tuple[WallCell, ...], ...]
    moves: tuple[str, ...] = ()
    commitment: str = ""  # the published hash of the deals, where they come from a secret


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is said to the room: one paragraph a thing to do."""

    heading: Heading
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairGuideLine:
    """One round of one entry; table and seat are empty while it sits out."""

    round: int
    table: str  # "13", in one of several sections "A13"
    seat: str  # "N-S" or "E-W", for a single player "N", "E", "S", "W"
    opponents: str
    boards: str  # "1–4"
    note: str = ""
    partner: str = ""  # of a single player


@dataclass(frozen=True, slots=True)
class PairGuide:
    """The card that one entry carries all session."""

    heading: Heading
    label: str  # "3 N-S"
    name: str
    lines: tuple[PairGuideLine, ...]
    first_table: int = 0  # of all those it comes to; 0 for none
    foot: str = ""  # what a note on it means
