"""The dataclass `PaperKind`: the title, drawing functions and conditions of a kind of paper.

An app declares all its papers in one tuple, the only place that contains their names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Any

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TranslatableText = str | Promise


class PaperGroup(TextChoices):
    """The headings under which papers are listed."""

    TABLES = "tables", _("For the tables")
    TRAYS = "trays", _("For the trays")
    RESULTS = "results", _("Results")


class PlaceOfUse(TextChoices):
    """Places in the hall where papers are needed; they sort the PDF of all papers."""

    DOOR = "door", _("at the door")
    TABLES = "tables", _("on the tables")
    TRAYS = "trays", _("with the boards")
    WALL = "wall", _("on the wall")


class ShownCards(Enum):
    """The cards or turn-ups that a paper shows, which limit when it may be printed."""

    NONE = auto()
    TURN_UPS = auto()  # shows turn-ups; a director may order the paper before play
    ALL_HANDS = auto()  # shows hands; printed only when no one can play the boards again


class OutdatingChanges(Flag):
    """The changes that make a printed copy outdated.

    Results are not included, since a paper with scores shows its version.
    """

    NOTHING = 0
    SEATS = auto()
    NAMES = auto()
    SUITS = auto()


def is_always_true(_subject: object) -> bool:
    """Return True; the default condition of a paper."""
    return True


def get_empty_step_text(_subject: object) -> str:
    """Return "", the default of `PaperKind.describe_required_step`."""
    return ""


@dataclass(frozen=True, slots=True)
class TableRequirement:
    """The need for a paper without which a table cannot start.

    `position` sorts the papers that a table gets. `condition` returns whether a session needs
    the paper.
    """

    position: int
    condition: Callable[[Any], bool] = is_always_true  # called with a session snapshot


@dataclass(frozen=True, slots=True)
class KindChoice:
    """A choice in the order form of a paper; each option is a kind of paper."""

    field_name: str
    title: TranslatableText
    options: tuple[tuple[str, TranslatableText, str], ...]  # (value, label, name of the kind)

    def find_kind_name(self, chosen_value: str, default_name: str) -> str:
        """Return the name of the kind for an option, or `default_name` for an unknown one."""
        return {
            option_value: kind_name for option_value, _label, kind_name in self.options
        }.get(chosen_value, default_name)


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to a page: its URL name, and the text of its button."""

    url_name: str
    text: TranslatableText


@dataclass(frozen=True, kw_only=True, slots=True)
class PaperKind:
    """One kind of paper.

    `build_sheet` takes the loaded data of a session or another object, and returns the values
    to print. `draw_pdf` takes these values and the paper size as `paper_size="A4"` or
    `paper_size="Letter"`, and returns the bytes of a PDF.
    """

    name: str  # identifies the kind in the database and in URLs
    title: TranslatableText
    # the purpose of the paper, or a function that returns it for an event
    blurb: TranslatableText | Callable[[Any], str]
    group: PaperGroup
    build_sheet: Callable[[Any], Any]
    draw_pdf: Callable[..., bytes]
    shown_cards: ShownCards
    outdating_changes: OutdatingChanges
    table_requirement: TableRequirement | None = None
    is_on_request: bool = False  # whether a command prints this paper only if named
    is_offered: Callable[[Any], bool] = is_always_true  # called with an event or a drive
    choice: KindChoice | None = None
    links_page: PageLink | None = None  # the page that creates the links on this paper
    describe_required_step: Callable[[Any], str] = (
        get_empty_step_text  # called with a session; returns the step to do first, or ""
    )
    place_of_use: PlaceOfUse | None = (
        None  # where the paper is needed; None if the PDF with all papers omits it
    )
    lay_out: Callable[..., Any] | None = (
        None  # returns `PageLayout` or `SlipLayout`, which the caller draws
    )

    def describe_purpose(self, subject: object) -> str:
        """Return the purpose of the paper in one line, for an event or other object."""
        return str(self.blurb(subject) if callable(self.blurb) else self.blurb)


def list_main_kinds(paper_kinds: tuple[PaperKind, ...]) -> list[PaperKind]:
    """List the kinds that are shown as separate items, not as an option of another kind."""
    option_names = {
        kind_name
        for paper_kind in paper_kinds
        if paper_kind.choice
        for _value, _label, kind_name in paper_kind.choice.options
        if kind_name != paper_kind.name
    }
    return [paper_kind for paper_kind in paper_kinds if paper_kind.name not in option_names]
