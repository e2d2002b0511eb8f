"""The organiser's desk of a drive: the round, its trumps, missing tables, and the call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from boards.whist import Suit
from drives.changed import changed_cards
from drives.forms import Form, Known
from drives.forms.rounds import BELL, custom_of
from drives.forms.ties import tie_rule_of
from drives.held import HeldDrive
from drives.models import Drive
from drives.models.drives import DECLARED, TURNED
from drives.reckoning import ANY, CLOCK, HEAD, winners_of
from drives.secrecy import Namer
from drives.sheets.people import Person, person


@dataclass(frozen=True, slots=True)
class TableOnDesk:
    """A table of the round in play: its players and the hands entered."""

    number: int
    people: tuple[Person, Person, Person, Person]
    score: tuple[int, ...]
    extras: tuple[int, ...]
    entered: int  # hands
    is_done: bool
    awaits_yes: bool


@dataclass(frozen=True, kw_only=True)
class Desk:
    """The data of the round in play; `number` is 0 before the first.

    `missing` are tables without complete scores, `equal` those whose winner has to be entered.
    `changed` are the cards that the last change of players has made out of date.
    """

    name: str
    state: str
    number: int
    of: int | None
    trumps: str
    tables: tuple[TableOnDesk, ...]
    rest: tuple[Person, ...]
    missing: tuple[int, ...]
    equal: tuple[int, ...]
    call: str
    is_last: bool
    changed: tuple[Person, ...]
    revision: int


def desk(held: HeldDrive, names: Namer) -> Desk:
    """Return the data of the organiser's desk."""
    drive, at = held.drive, held.at
    tables = _tables(held, names)
    by_results = held.form.known is Known.RESULT
    equal = winners_of(held, at.number)[1] if at is not None and by_results else []
    return Desk(
        name=drive.name,
        state=drive.state,
        number=drive.at_round,
        of=drive.rounds,
        trumps=at.row.trumps if at else "",
        tables=tables,
        rest=tuple(person(held, number, names) for number in (at.rest if at else ())),
        missing=tuple(table.number for table in tables if not table.is_done),
        equal=tuple(equal) if tie_rule_of(drive.terms).needs_entry else (),
        call=call(held),
        is_last=drive.rounds is not None and drive.at_round >= drive.rounds,
        changed=tuple(person(held, number, names) for number in changed_cards(drive)),
        revision=drive.revision,
    )


def _tables(held: HeldDrive, names: Namer) -> tuple[TableOnDesk, ...]:
    at = held.at
    if at is None:
        return ()
    found = []
    for number, four in at.tables.items():
        score, extras = at.figures_at(number)
        entered = at.hands_entered(number, held.drive.hands)
        one, two, three, last = (person(held, who, names) for who in four)
        sheets = [sheet for (table, _hand), sheet in at.sheets.items() if table == number]
        found.append(
            TableOnDesk(
                number=number,
                people=(one, two, three, last),
                score=score,
                extras=extras,
                entered=entered,
                is_done=entered >= held.drive.hands,
                awaits_yes=any(sheet.agreement == "awaited" for sheet in sheets),
            )
        )
    return tuple(found)


def call(held: HeldDrive) -> str:
    """Return the call: the trumps, then who moves where."""
    said = custom(held)
    at = held.at
    return said if at is None else f"{_trumps_called(held.drive, at.row.trumps)} {said}"


def _trumps_called(drive: Drive, trumps: str) -> str:
    if drive.trumps == TURNED:
        return _("A card is turned up for trumps.")
    if drive.trumps == DECLARED:
        return _("Trumps are declared.")
    return _("Trumps: %(suits)s.") % {"suits": trumps_words(drive, trumps)}


def custom(held: HeldDrive) -> str:
    """Return who moves where after a round, in one sentence with the house's words."""
    drive = held.drive
    return custom_said(held.form, drive.terms, (drive.first_word, drive.second_word))


def custom_said(form: Form, terms: Mapping[str, Any], words: tuple[str, str]) -> str:
    """Return the custom of a form on these terms; `words` are the house's, for one and many."""
    moves = form.calls(custom_of(terms))
    moves = _in_words_of_the_house(moves, *words) if form.roles else moves
    return " ".join(each for each in (moves, tie_rule_of(terms).call, _bell(terms)) if each)


def _bell(terms: Mapping[str, Any]) -> str:
    """Return the rule that ends a round with unplayed hands; "" if the terms have none."""
    words = {
        HEAD: _("Table 1 rings when it has finished: all stop, and what was made counts."),
        ANY: _("The first table that has finished rings: all stop, and what was made counts."),
        CLOCK: _("When the time is over all stop, and what was made counts."),
    }
    return words.get(terms.get(BELL, ""), "")


def _in_words_of_the_house(said: str, first: str, second: str) -> str:
    """Replace the usual words for first and second by the house's."""
    for usual, plural, own in (
        (_("first"), _("firsts"), first),
        (_("second"), _("seconds"), second),
    ):
        if own:
            said = said.replace(plural, plural_of(own)).replace(usual, singular_of(own))
    return said


def singular_of(word: str) -> str:
    """Return the singular of a house's word: "lady" of "lady/ladies"."""
    return word.partition("/")[0].strip()


def plural_of(word: str) -> str:
    """Return the plural of a house's word: the part after its slash, or the English plural."""
    if "/" in word:
        return word.partition("/")[2].strip()
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return word if word.endswith("s") or not word.isalpha() else f"{word}s"


def trumps_words(drive: Drive, trumps: str) -> str:
    """Return the trumps for a page: "Hearts", "Hearts, clubs, diamonds", "Declared"."""
    if drive.trumps == TURNED:
        return _("Turned up")
    if drive.trumps == DECLARED:
        return _("Declared")
    words = ", ".join(str(_("no trumps") if s == "N" else Suit(s).word) for s in trumps[:8])
    return words[:1].upper() + words[1:]
