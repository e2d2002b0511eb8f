"""What a file of a season holds, checked and whole."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction
from typing import Any

FORMAT = "whist-season/1"
SLUG_PATH = "season.slug"


@dataclass(frozen=True, slots=True)
class FiledPerson:
    """A person, by the name that the file's entries use."""

    id: str
    name: str
    is_member: bool
    number: str = ""


@dataclass(frozen=True, slots=True)
class FiledLadder:
    """A ladder, its rule as it was written, and its handicaps by ids."""

    slug: str
    name: str
    rule: Mapping[str, Any]
    handicaps: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class FiledHandicap:
    """The terms of a season's handicap, and those given by hand: the figure and why, by ids."""

    terms: Mapping[str, Any]
    by_hand: Mapping[str, tuple[Fraction, str]]


@dataclass(frozen=True, slots=True)
class FiledEntry:
    """One entry of an evening."""

    people: tuple[str, ...]
    score: Fraction
    team: str = ""
    field: str = ""
    boards: int | None = None
    percent: Fraction | None = None
    tricks: Fraction | None = None
    place: int | None = None
    handicap: Fraction | None = None
    visitors: frozenset[str] | None = None  # None: whoever is none in the list of players


@dataclass(frozen=True, slots=True)
class FiledEvening:
    """One evening with its entries."""

    slug: str
    date: Date
    boards: int
    contest: str
    entries: tuple[FiledEntry, ...]


@dataclass(frozen=True, slots=True)
class SeasonFile:
    """A whole file."""

    club: str
    slug: str
    name: str
    first: Date
    last: Date
    people: tuple[FiledPerson, ...]
    ladders: tuple[FiledLadder, ...]
    evenings: tuple[FiledEvening, ...]
    handicap: FiledHandicap | None = None
