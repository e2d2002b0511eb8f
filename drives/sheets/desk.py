"""Builds the data of the organiser's desk: the round in play, its tables, and the call."""

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
from drives.play_forms import DriveForm, SeatingTime
from drives.play_forms.rounds import (
    BELL_TERM,
    MEETINGS_TERM,
    MEETINGS_TERM_TABLE_VALUE,
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
    """A table of the round in play, with its players and its score so far."""

    number: int
    people: tuple[Person, Person, Person, Person]
    score: tuple[int, ...]
    extras: tuple[int, ...]
    entered_hand_count: int  # the number of hands that have a score
    is_done: bool
    is_confirmation_awaited: bool

    @property
    def score_text(self) -> str:
        """The score as text, e.g. "8–5", or "−21 / 7 / 7 / 7" if a number is below zero."""
        return format_score(self.score)


@dataclass(frozen=True, kw_only=True)
class DeskPageData:
    """The data of the round in play; `number` is 0 before the first round.

    `incomplete_tables` have missing scores. For the `tied_tables`, the organiser has to enter
    the winner. The printed score cards of the `stale_card_holders` show old seats. The pages
    show the call in three parts: `heading`, `round_text` for this round, and `moves_text` for
    the moves.
    """

    name: str
    state: str
    number: int
    round_count: int | None
    trumps: str
    tables: tuple[TableOnDesk, ...]
    resting_players: tuple[Person, ...]
    incomplete_tables: tuple[int, ...]
    tied_tables: tuple[int, ...]
    call: str
    heading: str
    round_text: str
    moves_text: str
    is_last: bool
    stale_card_holders: tuple[Person, ...]
    revision: int


def build_desk_page_data(snapshot: DriveSnapshot, format_name: NameFormatter) -> DeskPageData:
    """Return the data of the organiser's desk."""
    drive, current_round = snapshot.drive, snapshot.current_round
    tables = _build_tables(snapshot, format_name)
    is_moved_by_results = snapshot.play_form.seating_time is SeatingTime.AFTER_RESULT
    tied_tables = (
        find_round_winners(snapshot, current_round.number)[1]
        if current_round is not None and is_moved_by_results
        else []
    )
    is_last = drive.rounds is not None and drive.at_round >= drive.rounds
    round_text, moves_text = _split_call(snapshot, is_last=is_last)
    return DeskPageData(
        name=drive.name,
        state=drive.state,
        number=drive.at_round,
        round_count=drive.rounds,
        trumps=current_round.stored_round.trumps if current_round else "",
        tables=tables,
        resting_players=tuple(
            build_person(snapshot, player_number, format_name)
            for player_number in (current_round.resting_players if current_round else ())
        ),
        incomplete_tables=tuple(table.number for table in tables if not table.is_done),
        tied_tables=tuple(tied_tables)
        if get_tie_rule(drive.terms).is_winner_input_needed
        else (),
        call=format_call(snapshot),
        heading=_format_round_heading(snapshot),
        round_text=round_text,
        moves_text=moves_text,
        is_last=is_last,
        stale_card_holders=tuple(
            build_person(snapshot, player_number, format_name)
            for player_number in list_stale_cards(drive)
        ),
        revision=drive.revision,
    )


def _build_tables(
    snapshot: DriveSnapshot, format_name: NameFormatter
) -> tuple[TableOnDesk, ...]:
    current_round = snapshot.current_round
    if current_round is None:
        return ()
    desk_tables = []
    for table_number, seats in current_round.seats_by_table.items():
        score, extra_points = current_round.compute_table_score(table_number)
        entered_hand_count = current_round.count_hands_entered(
            table_number, snapshot.drive.hands
        )
        player_1, player_2, player_3, player_4 = (
            build_person(snapshot, player_id, format_name) for player_id in seats
        )
        table_sheets = [
            sheet
            for (
                sheet_table_number,
                _hand,
            ), sheet in current_round.sheet_by_table_and_hand.items()
            if sheet_table_number == table_number
        ]
        desk_tables.append(
            TableOnDesk(
                number=table_number,
                people=(player_1, player_2, player_3, player_4),
                score=score,
                extras=extra_points,
                entered_hand_count=entered_hand_count,
                is_done=entered_hand_count >= snapshot.drive.hands,
                is_confirmation_awaited=any(
                    sheet.agreement == "awaited" for sheet in table_sheets
                ),
            )
        )
    return tuple(desk_tables)


def format_call(snapshot: DriveSnapshot) -> str:
    """Return the call for the round in play: its trumps, and then the rules of moves."""
    movement_text = format_movement_rule(snapshot)
    current_round = snapshot.current_round
    return (
        movement_text
        if current_round is None
        else " ".join(
            [
                _format_trumps_call(snapshot.drive, current_round.stored_round.trumps),
                movement_text,
            ]
        )
    )


def _format_round_heading(snapshot: DriveSnapshot) -> str:
    """Return the round and its trumps, e.g. "Round 1 of 24: Hearts"; "" before round 1."""
    drive, current_round = snapshot.drive, snapshot.current_round
    if current_round is None:
        return ""
    message = _("Round %(round)s: %(trumps)s")
    if drive.rounds is not None:
        message = _("Round %(round)s of %(rounds)s: %(trumps)s")
    trumps = {
        TRUMPS_TURNED_UP: _("turn up a card for trumps"),
        TRUMPS_DECLARED: _("declare trumps"),
    }.get(drive.trumps) or format_trumps(drive, current_round.stored_round.trumps)
    return message % {"round": current_round.number, "rounds": drive.rounds, "trumps": trumps}


def _split_call(snapshot: DriveSnapshot, *, is_last: bool) -> tuple[str, str]:
    """Return the call as two texts: one for this round, and one for the moves after it."""
    drive_terms = snapshot.drive.terms
    if (
        snapshot.current_round is None
        or snapshot.play_form.seating_time is not SeatingTime.AFTER_RESULT
    ):
        return format_movement_rule(snapshot), ""
    role_words = (snapshot.drive.first_word, snapshot.drive.second_word)
    bell_text = _format_bell_rule(drive_terms)
    moves_text = format_drive_rules(
        snapshot.play_form, {**drive_terms, BELL_TERM: ""}, role_words
    )
    return bell_text, "" if is_last else moves_text


def _format_trumps_call(drive: Drive, trumps: str) -> str:
    if drive.trumps == TRUMPS_TURNED_UP:
        return _("Turn up a card for trumps.")
    if drive.trumps == TRUMPS_DECLARED:
        return _("Declare trumps.")
    return _("Trumps: %(suits)s.") % {"suits": format_trumps(drive, trumps)}


def format_movement_rule(snapshot: DriveSnapshot) -> str:
    """Return the rules of moves, ties and the bell, with the club's words for the roles."""
    drive = snapshot.drive
    role_words = (drive.first_word, drive.second_word)
    has_contracts = snapshot.points_table is not None
    return format_drive_rules(
        snapshot.play_form, drive.terms, role_words, has_contracts=has_contracts
    )


def format_drive_rules(
    play_form: DriveForm,
    drive_terms: Mapping[str, Any],
    role_words: tuple[str, str],
    *,
    has_contracts: bool = False,
) -> str:
    """Return a drive's rules as text: how players move, the tie rule and the bell rule.

    `role_words` are the club's words for firsts and seconds, e.g. "lady/ladies". In games with
    contracts (`has_contracts`), the text does not mention partners.
    """
    moves_text = play_form.format_call(select_form_terms(drive_terms))
    are_rounds_drawn = (
        play_form.seating_time is not SeatingTime.AFTER_RESULT
        and not play_form.has_fixed_partners
    )
    if are_rounds_drawn and (
        has_contracts or drive_terms.get(MEETINGS_TERM) == MEETINGS_TERM_TABLE_VALUE
    ):
        moves_text = _("Find your table and seat on the list.")
    moves_text = (
        _replace_role_words(moves_text, *role_words) if play_form.has_roles else moves_text
    )
    return " ".join(
        sentence
        for sentence in (
            moves_text,
            get_tie_rule(drive_terms).announcement,
            _format_bell_rule(drive_terms),
        )
        if sentence
    )


def _format_bell_rule(drive_terms: Mapping[str, Any]) -> str:
    """Return the rule for the bell that ends a round early; "" if the terms have no rule."""
    text_by_rule = {
        BELL_AT_HEAD_TABLE: _(
            "Table 1 rings when it finishes. All stop and scores so far count."
        ),
        BELL_AT_ANY_TABLE: _(
            "The first table to finish rings. All stop and scores so far count."
        ),
        BELL_BY_CLOCK: _("When time is up, everyone stops. The scores so far count."),
    }
    return text_by_rule.get(drive_terms.get(BELL_TERM, ""), "")


def _replace_role_words(moves_text: str, first_word: str, second_word: str) -> str:
    """Replace the usual words for the roles, "1st" and "2nd", by the club's words."""
    for usual_word, usual_plural, club_word in (
        (_("1st"), _("1st players"), first_word),
        (_("2nd"), _("2nd players"), second_word),
    ):
        if club_word:
            moves_text = moves_text.replace(usual_plural, get_plural(club_word)).replace(
                usual_word, get_singular(club_word)
            )
    return moves_text


def get_singular(role_word: str) -> str:
    """Return the singular of a club's word for a role, e.g. "lady" for "lady/ladies"."""
    return role_word.partition("/")[0].strip()


def get_plural(role_word: str) -> str:
    """Return the plural of a club's word for a role: the part after its slash, if there is one.

    Otherwise the plural is formed as in English.
    """
    if "/" in role_word:
        return role_word.partition("/")[2].strip()
    if role_word.endswith("y") and role_word[-2:-1] not in "aeiou":
        return f"{role_word[:-1]}ies"
    return role_word if role_word.endswith("s") or not role_word.isalpha() else f"{role_word}s"


def format_trumps(drive: Drive, trumps: str) -> str:
    """Return the trumps as text, e.g. "Hearts", "Hearts, clubs, diamonds" or "Declared"."""
    if drive.trumps == TRUMPS_TURNED_UP:
        return _("Turned up")
    if drive.trumps == TRUMPS_DECLARED:
        return _("Declared")
    suit_names = ", ".join(
        str(_("no trumps") if suit_letter == "N" else Suit(suit_letter).word)
        for suit_letter in trumps[:8]
    )
    return suit_names[:1].upper() + suit_names[1:]
