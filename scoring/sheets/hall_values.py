"""The values of sheets for the hall: wall sheets, announcements, and guide cards."""

from dataclasses import dataclass

from printing.values import Heading


@dataclass(frozen=True, slots=True)
class WallCell:
    """One table in one round; `ns` and `ew` are empty if no one sits there."""

    ns: str  # the label of the pair: "3"
    ew: str
    boards: str  # "1–4"; "" in a sit-out
    note: str = ""  # "shares with table 1"


@dataclass(frozen=True, slots=True)
class WallSheet:
    """The whole movement of one section; each round is a row with a cell for each table."""

    heading: Heading
    movement_title: str
    table_labels: tuple[str, ...]  # displayed tables: "13", with several sections "A13"
    rounds: tuple[tuple[WallCell, ...], ...]
    moves: tuple[str, ...] = ()
    commitment: str = ""  # the published hash of the deals, if dealt from a secret


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement to the hall: one paragraph for each instruction."""

    heading: Heading
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairGuideLine:
    """One round of one entry; table and seat are empty in a sit-out."""

    round_number: int
    table_label: str  # "13", with several sections "A13"
    seat_code: str  # "N-S" or "E-W", for a single player "N", "E", "S", "W"
    opponents: str
    boards: str  # "1–4"
    note: str = ""
    partner: str = ""  # the partner of a single player


@dataclass(frozen=True, slots=True)
class PairGuide:
    """The guide card of one entry for the whole session."""

    heading: Heading
    label: str  # "3 N-S"
    name: str
    lines: tuple[PairGuideLine, ...]
    first_table_number: int = 0  # the number of the entry's first table; 0 without a table
    footnote: str = ""  # explains the notes in `lines`
