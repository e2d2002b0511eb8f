"""The kinds of papers: one record for each, with its data for lists, pages and commands.

An app declares its papers in one tuple. No other code of the app contains a paper's name.
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
    """Places in the hall for papers, by which a full set is sorted."""

    DOOR = "door", _("at the door")
    TABLES = "tables", _("on the tables")
    TRAYS = "trays", _("with the boards")
    WALL = "wall", _("on the wall")


class ShownCards(Enum):
    """The cards or turn-ups that a paper shows, which limit when it may be printed."""

    NONE = auto()
    FOR_THE_TRAYS = auto()  # it shows turn-ups; a director may order it before play
    AFTER_THE_CLOSE = auto()  # it shows hands; only when no one can play these boards any more


class OutdatedBy(Flag):
    """The changes that make a printed copy outdated.

    Results are not included, since a paper with scores shows its version.
    """

    NOTHING = 0
    SEATS = auto()
    NAMES = auto()
    SUITS = auto()


def is_always_true(_thing: object) -> bool:
    """Return True, the default of conditions."""
    return True


def describe_no_wait(_thing: object) -> str:
    """Return "", the default of `PaperKind.describe_wait`."""
    return ""


@dataclass(frozen=True, slots=True)
class TableNeed:
    """A paper that tables need to start: its position in the pile and its condition."""

    position: int
    condition: Callable[[Any], bool] = is_always_true  # takes a session with its tables


@dataclass(frozen=True, slots=True)
class KindChoice:
    """A choice in the order form of a paper; each option is a kind of paper."""

    field: str
    title: Words
    options: tuple[tuple[str, Words, str], ...]  # (value, label, name of the kind)

    def find_kind_name(self, value: str, usual: str) -> str:
        """Return the name of the kind for an option, or `usual` for an unknown one."""
        return {option: name for option, _words, name in self.options}.get(value, usual)


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to a page: its URL name, and the text of its button."""

    view: str
    text: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class PaperKind:
    """One kind of paper.

    `build_sheet` builds the printed values from an object that was loaded once. `draw_pdf`
    takes these values and the size as `size="A4"` or `size="Letter"`, and returns the bytes of
    a PDF.
    """

    name: str  # a code stored in rows and used in URLs
    title: Words
    # its purpose, or a function that returns it for an event
    blurb: Words | Callable[[Any], str]
    group: PaperGroup
    build_sheet: Callable[[Any], Any]
    draw_pdf: Callable[..., bytes]
    shown_cards: ShownCards
    outdated_by: OutdatedBy
    need: TableNeed | None = None
    on_request: bool = False  # True: the command writes it only if it is named
    is_offered: Callable[[Any], bool] = is_always_true  # takes an event
    choice: KindChoice | None = None
    links_page: PageLink | None = None  # the page that creates the links on this paper
    describe_wait: Callable[[Any], str] = (
        describe_no_wait  # takes a session; returns what must be done first, or ""
    )
    hall_spot: HallSpot | None = (
        None  # the place for which it is printed; None: not in the full set
    )
    lay_out: Callable[..., Any] | None = (
        None  # callable that returns the pages or slips, undrawn
    )

    def describe(self, thing: object) -> str:
        """Return the purpose of the paper in one line, for an event or other object."""
        return str(self.blurb(thing) if callable(self.blurb) else self.blurb)


def list_main_kinds(kinds: tuple[PaperKind, ...]) -> list[PaperKind]:
    """List the kinds that have their own entry, without the options of other kinds."""
    answers = {
        name
        for kind in kinds
        if kind.choice
        for _value, _words, name in kind.choice.options
        if name != kind.name
    }
    return [kind for kind in kinds if kind.name not in answers]
