"""The kinds of papers: one record for each, with the data for lists, pages and commands.

An app defines one record for each of its papers in one tuple. No other code of
the app has a paper's name.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Any

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise


class PaperGroup(TextChoices):
    """The headings under which papers are listed."""

    TABLES = "tables", _("For the tables")
    TRAYS = "trays", _("For the trays")
    RESULTS = "results", _("Results")


class HallSpot(TextChoices):
    """The places in the hall where papers are laid out; a full set is sorted by them."""

    DOOR = "door", _("at the door")
    TABLES = "tables", _("on the tables")
    TRAYS = "trays", _("with the boards")
    WALL = "wall", _("on the wall")


class ShownCards(Enum):
    """The cards or turn-ups that a paper shows, which decide when it may be printed."""

    NONE = auto()
    FOR_THE_TRAYS = auto()  # a director may order it before play
    AFTER_THE_CLOSE = auto()  # only when no one can play these boards any more


class OutdatedBy(Flag):
    """The changes that make a printed copy outdated.

    Results are not included: a paper with scores shows its version.
    """

    NOTHING = 0
    SEATS = auto()
    NAMES = auto()
    SUITS = auto()


def is_always_true(_thing: object) -> bool:
    """Return True for anything."""
    return True


def describe_no_wait(_thing: object) -> str:
    """Return "": the paper can be made at any time."""
    return ""


@dataclass(frozen=True, slots=True)
class TableNeed:
    """A paper that tables need to start: its position in the pile, and a condition."""

    position: int
    condition: Callable[[Any], bool] = is_always_true  # takes a session with its tables


@dataclass(frozen=True, slots=True)
class KindChoice:
    """A choice in the order form of a paper; each option is a kind of paper."""

    field: str
    title: Words
    options: tuple[tuple[str, Words, str], ...]  # (value, label, name of the kind)

    def find_kind_name(self, value: str, usual: str) -> str:
        """Return the name of the kind for an option, `usual` for an unknown one."""
        return {given: name for given, _words, name in self.options}.get(value, usual)


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to a page: the name of its view, and the text of the button."""

    view: str
    text: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class PaperKind:
    """One kind of paper.

    `build_sheet` builds the printed values from an object that was read once. `draw_pdf` takes
    these
    values and the size as `size="A4"` or `size="Letter"`, and returns the bytes of a PDF.
    """

    name: str  # a code stored in rows and used in URLs
    title: Words
    blurb: (
        Words | Callable[[Any], str]
    )  # its purpose; a function of the event if it depends on it
    group: PaperGroup
    build_sheet: Callable[[Any], Any]
    draw_pdf: Callable[..., bytes]
    shown_cards: ShownCards
    outdated_by: OutdatedBy
    need: TableNeed | None = None
    on_request: bool = False  # the command writes it only if named
    is_offered: Callable[[Any], bool] = is_always_true  # takes an event
    choice: KindChoice | None = None
    links_page: PageLink | None = None  # where the links that it prints are created
    describe_wait: Callable[[Any], str] = (
        describe_no_wait  # takes a session; returns what must be done first
    )
    hall_spot: HallSpot | None = None  # where it is laid out; None: not in the full set
    lay_out: Callable[..., Any] | None = None  # returns its pages or slips, not drawn yet

    def describe(self, thing: object) -> str:
        """Return the purpose of the paper in one line, for an event."""
        return str(self.blurb(thing) if callable(self.blurb) else self.blurb)


def list_main_kinds(kinds: tuple[PaperKind, ...]) -> list[PaperKind]:
    """List the kinds with an own entry in the list, without the options of another kind."""
    answers = {
        name
        for kind in kinds
        if kind.choice
        for _value, _words, name in kind.choice.options
        if name != kind.name
    }
    return [kind for kind in kinds if kind.name not in answers]
