"""The organiser's desk of a drive: the round, its trumps, missing tables, and the call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from boards.whist import Suit
from drives.drive_results import (
    BELL_AT_ANY_TABLE,
    BELL_AT_HEAD_TABLE,
    BELL_BY_CLOCK,
    find_round_winners,
)
from drives.models import Drive
from drives.models.drives import TRUMPS_DECLARED, TRUMPS_TURNED_UP
from drives.play_forms import DriveForm, SeatsKnown
from drives.play_forms.rounds import (
    BELL_TERM,
    MEET_AT_TABLE,
    MEET_TERM,
    can_meet_at_tables,
    select_form_terms,
)
from drives.play_forms.ties import get_tie_rule
from drives.scores.score_format import format_score
from drives.sheets.people import Person, build_person
from drives.snapshot import DriveSnapshot
from drives.stale_cards import list_stale_cards
from drives.visibility import NameFormatter


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

    @property
    def score_text(self) -> str:
        """The score as text: "8–5", or with numbers below zero "−21 / 7 / 7 / 7"."""
        return format_score(self.score)


@dataclass(frozen=True, kw_only=True)
class Desk:
    """The data of the round in play; `number` is 0 before the first.

    `missing` are tables without complete scores; `equal` are tables whose winner has to be
    entered.
    `changed` are the cards that the last change of players has made out of date. The pages show
    the call in parts: `heading`, `now_text` for this round, and `after_text` for the moves.
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
    heading: str
    now_text: str
    after_text: str
    is_last: bool
    changed: tuple[Person, ...]
    revision: int


def build_desk(snapshot: DriveSnapshot, names: NameFormatter) -> Desk:
    """Return the data of the organiser's desk."""
    drive, at = snapshot.drive, snapshot.current_round
    tables = _build_tables(snapshot, names)
    by_results = snapshot.form.seats_known is SeatsKnown.RESULT
    tied_tables = (
        find_round_winners(snapshot, at.number)[1] if at is not None and by_results else []
    )
    is_last = drive.rounds is not None and drive.at_round >= drive.rounds
    now_text, after_text = _split_call(snapshot, is_last=is_last)
    return Desk(
        name=drive.name,
        state=drive.state,
        number=drive.at_round,
        of=drive.rounds,
        trumps=at.row.trumps if at else "",
        tables=tables,
        rest=tuple(build_person(snapshot, number, names) for number in (at.rest if at else ())),
        missing=tuple(table.number for table in tables if not table.is_done),
        equal=tuple(tied_tables) if get_tie_rule(drive.terms).needs_entry else (),
        call=format_call(snapshot),
        heading=_format_round_heading(snapshot),
        now_text=now_text,
        after_text=after_text,
        is_last=is_last,
        changed=tuple(
            build_person(snapshot, number, names) for number in list_stale_cards(drive)
        ),
        revision=drive.revision,
    )


def _build_tables(snapshot: DriveSnapshot, names: NameFormatter) -> tuple[TableOnDesk, ...]:
    at = snapshot.current_round
    if at is None:
        return ()
    desk_tables = []
    for number, seats in at.tables.items():
        score, extras = at.compute_table_score(number)
        entered = at.count_hands_entered(number, snapshot.drive.hands)
        one, two, three, last = (
            build_person(snapshot, player_id, names) for player_id in seats
        )
        sheets = [sheet for (table, _hand), sheet in at.sheets.items() if table == number]
        desk_tables.append(
            TableOnDesk(
                number=number,
                people=(one, two, three, last),
                score=score,
                extras=extras,
                entered=entered,
                is_done=entered >= snapshot.drive.hands,
                awaits_yes=any(sheet.agreement == "awaited" for sheet in sheets),
            )
        )
    return tuple(desk_tables)


def format_call(snapshot: DriveSnapshot) -> str:
    """Return the call: the trumps, then who moves where."""
    custom_text = format_custom(snapshot)
    at = snapshot.current_round
    return (
        custom_text
        if at is None
        else f"{_format_trumps_call(snapshot.drive, at.row.trumps)} {custom_text}"
    )


def _format_round_heading(snapshot: DriveSnapshot) -> str:
    """Return the round and its trumps: "Round 1 of 24: Hearts"; "" before the first round."""
    drive, at = snapshot.drive, snapshot.current_round
    if at is None:
        return ""
    message = _("Round %(round)s: %(trumps)s")
    if drive.rounds is not None:
        message = _("Round %(round)s of %(rounds)s: %(trumps)s")
    trumps = {
        TRUMPS_TURNED_UP: _("turn up a card for trumps"),
        TRUMPS_DECLARED: _("declare trumps"),
    }.get(drive.trumps) or format_trumps(drive, at.row.trumps)
    return message % {"round": at.number, "rounds": drive.rounds, "trumps": trumps}


def _split_call(snapshot: DriveSnapshot, *, is_last: bool) -> tuple[str, str]:
    """Return what players do in this round, and how they move after it."""
    terms = snapshot.drive.terms
    if snapshot.current_round is None or snapshot.form.seats_known is not SeatsKnown.RESULT:
        return format_custom(snapshot), ""
    words = (snapshot.drive.first_word, snapshot.drive.second_word)
    bell = _format_bell_rule(terms)
    moves = format_form_custom(snapshot.form, {**terms, BELL_TERM: ""}, words)
    return bell, "" if is_last else moves


def _format_trumps_call(drive: Drive, trumps: str) -> str:
    if drive.trumps == TRUMPS_TURNED_UP:
        return _("Turn up a card for trumps.")
    if drive.trumps == TRUMPS_DECLARED:
        return _("Declare trumps.")
    return _("Trumps: %(suits)s.") % {"suits": format_trumps(drive, trumps)}


def format_custom(snapshot: DriveSnapshot) -> str:
    """Return the rule of moves as one sentence with the house's words for the roles."""
    drive = snapshot.drive
    return format_form_custom(snapshot.form, drive.terms, (drive.first_word, drive.second_word))


def format_form_custom(
    form: DriveForm, terms: Mapping[str, Any], words: tuple[str, str]
) -> str:
    """Return the rule of moves of a form as one sentence.

    `words` are the house's words for first and second, singular and plural.
    """
    moves = form.format_call(select_form_terms(terms))
    if terms.get(MEET_TERM) == MEET_AT_TABLE and can_meet_at_tables(form):
        moves = _("Find your table and seat on the list.")
    moves = _replace_role_words(moves, *words) if form.has_roles else moves
    return " ".join(
        sentence
        for sentence in (moves, get_tie_rule(terms).announcement, _format_bell_rule(terms))
        if sentence
    )


def _format_bell_rule(terms: Mapping[str, Any]) -> str:
    """Return the rule that ends a round with unplayed hands; "" if the terms have none."""
    words = {
        BELL_AT_HEAD_TABLE: _(
            "Table 1 rings when it finishes. All stop and scores so far count."
        ),
        BELL_AT_ANY_TABLE: _(
            "The first table to finish rings. All stop and scores so far count."
        ),
        BELL_BY_CLOCK: _("When time is up, everyone stops. The scores so far count."),
    }
    return words.get(terms.get(BELL_TERM, ""), "")


def _replace_role_words(text: str, first: str, second: str) -> str:
    """Replace the usual words for first and second by the house's."""
    for usual_word, usual_plural, house_words in (
        (_("1st"), _("1st players"), first),
        (_("2nd"), _("2nd players"), second),
    ):
        if house_words:
            text = text.replace(usual_plural, get_plural(house_words)).replace(
                usual_word, get_singular(house_words)
            )
    return text


def get_singular(word: str) -> str:
    """Return the singular of a house's word: "lady" of "lady/ladies"."""
    return word.partition("/")[0].strip()


def get_plural(word: str) -> str:
    """Return the plural of a house's word: the part after its slash, or the English plural."""
    if "/" in word:
        return word.partition("/")[2].strip()
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return word if word.endswith("s") or not word.isalpha() else f"{word}s"


def format_trumps(drive: Drive, trumps: str) -> str:
    """Return the trumps for a page: "Hearts", "Hearts, clubs, diamonds", "Declared"."""
    if drive.trumps == TRUMPS_TURNED_UP:
        return _("Turned up")
    if drive.trumps == TRUMPS_DECLARED:
        return _("Declared")
    words = ", ".join(str(_("no trumps") if s == "N" else Suit(s).word) for s in trumps[:8])
    return words[:1].upper() + words[1:]
