"""Services that create a drive, and change its settings and its number of rounds."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date as Date
from itertools import count, islice
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import build_creation_undo, increment_revision, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable
from clubs.evenings.event_days import format_event_day_error, is_valid_event_day
from clubs.models import Club, Evening
from drives.draw.participants import MAX_PARTICIPANTS, MIN_PARTICIPANTS, check_round_count
from drives.draw.random_stream import RandomStream
from drives.drive_results import BELL_CODES
from drives.errors import DriveActionNotAllowed
from drives.models import Draw, Drive, HouseTerms, Prize
from drives.moves.table_repair import get_seat_role
from drives.play_forms import DriveForm, find_play_form
from drives.play_forms.drawn_cards import (
    MAX_PLAYERS,
    START_BY_CARDS,
    START_TERM,
    can_seat_by_cards,
)
from drives.play_forms.rounds import (
    BELL_TERM,
    MEETINGS_TERM,
    MEETINGS_TERM_TABLE_VALUE,
    can_meet_at_tables,
    select_form_terms,
)
from drives.play_forms.ties import TIES_TERM, TieRule, is_tie_rule
from drives.prizes.lot import compute_commitment
from drives.prizes.prize import parse_prizes
from drives.scores.terms import parse_score_terms
from drives.services.draw_rounds import begin_next_round, draw_additional_rounds
from drives.services.players import NewPlayer, create_house_players, create_players
from drives.services.prizes import build_prize_row
from drives.services.seat_changes import (
    check_drive_open,
    check_no_later_scores,
    delete_round,
    list_scored_tables,
    record_seat_change,
)
from drives.trumps import compute_round_trumps
from server.json_reader.problems import can_be_stored

SECRET_BYTES = 32
MAX_HANDS = 1000
NUMBER_BY_ARRIVAL, NUMBER_BY_LOT, NUMBER_BY_CARDS = "arrival", "lot", "cards"
CHANGEABLE_FIELDS = (
    "name",
    "score",
    "hands",
    "rounds",
    "trumps",
    "first_word",
    "second_word",
    "halves",
    "one_prize_each",
    "standings_shown",
    "paper_size",
    "terms",
)
"""The fields of a drive that may be changed after it was created."""
ALWAYS_CHANGEABLE_FIELDS = {"standings_shown", "paper_size"}
"""The fields that may change in a closed drive too, because no award or lot depends on them."""


@transaction.atomic
def create_drive(
    *,
    club: Club,
    name: str,
    date: Date,
    form: str,
    players: Sequence[NewPlayer],
    house: Sequence[str] = (),
    apart: Sequence[tuple[int, int]] = (),
    numbering: str = NUMBER_BY_ARRIVAL,
    is_started: bool = True,
    secret: bytes | None = None,
    form_key: str | None = None,
    by: Actor,
    **terms: Any,
) -> Drive:
    """Create a drive with score cards and a sealed secret; begin round 1 if `is_started`.

    `form` is the code of the type of drive. `house` are names of house players. `numbering` is
    the way in which players without a number get one: in the order of the list, by lot, or by
    drawn cards. Drawn cards also seat the first round. `terms` are other fields of `Drive`; the
    defaults are the club's. Two calls with the same `form_key`, the key of a submitted HTML
    form, create only one drive. Raises DriveActionNotAllowed, or ValidationError for an invalid
    field.
    """
    if existing_drive := Drive.objects.find_by_form_key(club, form_key):
        return existing_drive
    if is_started and not MIN_PARTICIPANTS <= len(players) <= MAX_PARTICIPANTS:
        message = _("Enter %(fewest)s–%(most)s players for a drive, not %(count)s.")
        message_values = {
            "fewest": MIN_PARTICIPANTS,
            "most": MAX_PARTICIPANTS,
            "count": len(players),
        }
        hint = _("Enter the names, one per line, or the number of players.")
        raise DriveActionNotAllowed(f"{message % message_values} {hint}")
    if not is_valid_event_day(date):
        raise DriveActionNotAllowed(format_event_day_error())
    drive_values = _load_club_default_terms(club, form) | terms
    if numbering == NUMBER_BY_CARDS:
        drive_values["terms"] = dict(drive_values.get("terms") or {}) | {
            START_TERM: START_BY_CARDS
        }
    drive = _build_drive(club, name, date, form, drive_values)
    drive.form_key = form_key
    drive.secret = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
    drive.commitment = compute_commitment(drive.secret)
    drive.apart = sorted(sorted(pair) for pair in apart)
    _check_drive_terms(drive)
    drive.evening.save()
    drive.evening_id = drive.evening.pk
    drive.save()
    create_players(drive, _assign_numbers(drive, players, numbering))
    create_house_players(drive, house)
    _check_kept_apart_players(drive)
    _create_usual_prizes(drive)
    audit.record(
        by,
        "drive.created",
        subject=drive,
        where={"name": name},
        after={"date": date.isoformat(), "form": form, "players": len(players)},
        undo=build_creation_undo(Drive, "seats"),
    )
    return begin_next_round(drive=drive, shown_round_number=0, by=by) if is_started else drive


def _load_club_default_terms(club: Club, play_form_code: str) -> dict[str, Any]:
    """Return the club's default values of the drive's fields.

    The field `terms` contains settings of the club's usual type of drive, so it is omitted if
    the new drive has another type.
    """
    house_terms = HouseTerms.objects.filter(club=club).first()
    default_terms = house_terms.terms if house_terms else {}
    is_usual_play_form = play_form_code == default_terms.get("form", play_form_code)
    return {
        name: term_value
        for name, term_value in default_terms.items()
        if name in CHANGEABLE_FIELDS and (name != "terms" or is_usual_play_form)
    }


def _create_usual_prizes(drive: Drive) -> None:
    """Give a drive the club's usual prizes.

    A rehearsal is skipped, because it copies the prizes of the rehearsed drive.
    """
    house_terms = HouseTerms.objects.filter(club=drive.club_id).first()
    if house_terms is None or drive.is_rehearsal:
        return
    prize_lines = parse_prizes(house_terms.terms.get("prizes", []))
    Prize.objects.bulk_create(
        build_prize_row(drive, prize_number, prize_line)
        for prize_number, prize_line in enumerate(prize_lines, start=1)
    )


def _build_drive(
    club: Club, name: str, date: Date, play_form_code: str, drive_values: Mapping[str, Any]
) -> Drive:
    for field_name in drive_values:
        if field_name not in (*CHANGEABLE_FIELDS, "is_rehearsal"):
            raise DriveActionNotAllowed(
                _("Setting “%(term)s” not found.") % {"term": field_name}
            )
    return Drive(
        club=club,
        evening=Evening(club=club, date=date),
        slug=Drive.create_slug(name, date),
        name=name,
        form=play_form_code,
        **{"score": {"kind": "tricks"}, **drive_values},
    )


def _check_drive_terms(drive: Drive) -> None:
    """Raise DriveActionNotAllowed for an invalid type, rule of scoring or other field."""
    check_hand_and_round_counts(drive.hands, drive.rounds)
    drive_texts = [drive.name, drive.first_word, drive.second_word]
    if not all(text.isprintable() for text in drive_texts) or not can_be_stored(
        [drive.score, drive.terms]
    ):
        raise DriveActionNotAllowed(_("The text contains invalid characters."))
    play_form = find_play_form(drive.form)
    parse_score_terms(drive.score)
    check_form_terms(drive.terms, play_form)
    drive.clean_fields(exclude=["club", "evening"])


def check_form_terms(drive_terms: Mapping[str, Any], play_form: DriveForm) -> None:
    """Raise DriveActionNotAllowed for terms that are invalid or not in the type of drive."""
    form_terms = select_form_terms(drive_terms)
    if not is_tie_rule(drive_terms.get(TIES_TERM, TieRule.LOT)):
        message = _("“ties” must be one of: %(rules)s.")
        raise DriveActionNotAllowed(message % {"rules": ", ".join(TieRule)})
    if START_TERM in drive_terms and not (
        drive_terms[START_TERM] == START_BY_CARDS and can_seat_by_cards(play_form)
    ):
        raise DriveActionNotAllowed(
            _("Players can draw cards for seats only if results decide who moves.")
        )
    if MEETINGS_TERM in drive_terms and not (
        drive_terms[MEETINGS_TERM] == MEETINGS_TERM_TABLE_VALUE
        and can_meet_at_tables(play_form)
    ):
        raise DriveActionNotAllowed(
            _("In a social drive or a random draw, “meet” must be “table”.")
        )
    if drive_terms.get(BELL_TERM, "") not in BELL_CODES:
        raise DriveActionNotAllowed(
            _("Choose who rings the bell: table 1, any table, or the clock.")
        )
    foreign_terms = [term for term in form_terms if term not in play_form.terms]
    if foreign_terms:
        message = _("Type “%(form)s” has no setting “%(term)s”.")
        raise DriveActionNotAllowed(
            message % {"form": play_form.code, "term": foreign_terms[0]}
        )
    play_form.format_call(form_terms)


def check_hand_and_round_counts(hand_count: int, round_count: int | None) -> None:
    """Raise DriveActionNotAllowed if the number of hands or rounds is out of range."""
    if not 1 <= hand_count <= MAX_HANDS:
        message = _("Enter 1–%(most)s hands per round, not %(hands)s.")
        raise DriveActionNotAllowed(message % {"most": MAX_HANDS, "hands": hand_count})
    if round_count is not None:
        check_round_count(round_count)


def _assign_numbers(
    drive: Drive, players: Sequence[NewPlayer], numbering: str
) -> Sequence[NewPlayer]:
    """Return the players with numbers, unless they are numbered by arrival.

    Players without a number get a random free number, by lot or by drawn cards.
    """
    if numbering == NUMBER_BY_ARRIVAL:
        return players
    if numbering not in (NUMBER_BY_LOT, NUMBER_BY_CARDS):
        raise DriveActionNotAllowed(_("Choose numbers by arrival, by draw or by cards."))
    random_stream = RandomStream(bytes(drive.secret or b""), "numbers")
    given_numbers = {player.number for player in players if player.number is not None}
    free_numbers = (free_number for free_number in count(1) if free_number not in given_numbers)
    missing_count = sum(player.number is None for player in players)
    drawn_numbers = random_stream.shuffle(list(islice(free_numbers, missing_count)))
    if numbering == NUMBER_BY_CARDS:
        return _assign_card_numbers(players, drawn_numbers, max(drawn_numbers, default=0))
    remaining_numbers = iter(drawn_numbers)
    return [
        player if player.number is not None else replace(player, number=next(remaining_numbers))
        for player in players
    ]


def _assign_card_numbers(
    players: Sequence[NewPlayer], drawn_numbers: list[int], max_number: int
) -> Sequence[NewPlayer]:
    """Give each player without a number the number of a drawn card.

    Firsts get numbers of seats for firsts, and seconds those for seconds, if any are free.
    """
    max_number = max(
        [max_number, *(player.number for player in players if player.number is not None)]
    )
    if max_number > MAX_PLAYERS:
        message = _("One pack has only %(most)s cards. Draw the numbers instead.")
        raise DriveActionNotAllowed(message % {"most": MAX_PLAYERS})
    numbered_players = list(players)
    indexes_sorted_by_role = sorted(
        range(len(numbered_players)), key=lambda index: not numbered_players[index].role
    )
    for index in indexes_sorted_by_role:
        if numbered_players[index].number is None:
            role_numbers = [
                card_number
                for card_number in drawn_numbers
                if get_seat_role((card_number - 1) % 4) == numbered_players[index].role
            ]
            card_number = (role_numbers or drawn_numbers)[0]
            drawn_numbers.remove(card_number)
            numbered_players[index] = replace(numbered_players[index], number=card_number)
    return numbered_players


def _check_kept_apart_players(drive: Drive) -> None:
    player_numbers = set(drive.players.filter(house=False).values_list("number", flat=True))
    for player_number in (player_number for pair in drive.apart for player_number in pair):
        if player_number not in player_numbers:
            raise DriveActionNotAllowed(
                _("Player %(number)s not found.") % {"number": player_number}
            )


@transaction.atomic
def change_terms(*, drive: Drive, by: Actor, **terms: Any) -> Drive:
    """Change the name, the rules of scoring or other terms of a drive.

    Hands and rules of scoring cannot change once there is a score. The rules by which players
    move cannot change once players have moved, because the verification repeats each move with
    the present rules. The name and most terms of a closed drive cannot change, because its
    lots depend on them. Raises ActionUnavailable or DriveActionNotAllowed.
    """
    locked_drive = lock_activity(drive)
    # Whether the first round was seated by drawn cards cannot change, so this term is kept.
    if "terms" in terms and START_TERM in locked_drive.terms:
        terms["terms"] = {START_TERM: locked_drive.terms[START_TERM]} | dict(terms["terms"])
    old_values = {
        name: getattr(locked_drive, name) for name in terms if name in CHANGEABLE_FIELDS
    }
    _check_terms_known(terms)
    changed_terms = {
        name: new_value for name, new_value in terms.items() if old_values[name] != new_value
    }
    changed_terms.pop("rounds", None)  # only `set_round_count` changes the number of rounds
    if not changed_terms:
        return locked_drive
    _check_terms_changeable(locked_drive, changed_terms)
    for name, new_value in changed_terms.items():
        setattr(locked_drive, name, new_value)
    _check_drive_terms(locked_drive)
    locked_drive.save(update_fields=list(changed_terms))
    if {"trumps", "hands"} & set(changed_terms):
        for round_ in locked_drive.played.all():
            round_.trumps = compute_round_trumps(locked_drive, round_.number)
            round_.save(update_fields=["trumps"])
    increment_revision(locked_drive)
    audit.record(
        by,
        "drive.changed",
        subject=locked_drive,
        before={name: old_values[name] for name in changed_terms},
        after=changed_terms,
        undo=Undo(
            tuple(f"drive {name}" for name in changed_terms),
            "drive.change",
            {name: old_values[name] for name in changed_terms},
        ),
    )
    return locked_drive


def _check_terms_changeable(drive: Drive, changed_terms: Mapping[str, Any]) -> None:
    """Raise ActionUnavailable if a change comes too late.

    Most terms are fixed by the close, the scoring by the first score, and the rules of moves
    by the first move.
    """
    if set(changed_terms) - ALWAYS_CHANGEABLE_FIELDS:
        check_drive_open(drive)
    if {"score", "hands"} & set(changed_terms) and _has_scores(drive):
        raise ActionUnavailable(
            _("Scores have been entered, so scoring and hands can’t change.")
        )
    if "terms" in changed_terms and select_form_terms(drive.terms) != select_form_terms(
        changed_terms["terms"]
    ):
        _check_tables_not_moved(drive)
    start_rule = drive.terms.get(START_TERM)
    has_start_rule_changed = (
        changed_terms.get("terms", drive.terms).get(START_TERM) != start_rule
    )
    if has_start_rule_changed and drive.played.exists():
        raise ActionUnavailable(
            _("Round 1 is already seated, so seating by drawn cards can’t change.")
        )


def _check_tables_not_moved(drive: Drive) -> None:
    if drive.played.filter(draw__kind=Draw.Kind.MOVED).exists():
        raise ActionUnavailable(
            _("Tables have already moved by these rules, so they can’t change tonight.")
        )


def _check_terms_known(new_terms: Mapping[str, Any]) -> None:
    for term in new_terms:
        if term not in CHANGEABLE_FIELDS:
            raise DriveActionNotAllowed(_("Setting “%(term)s” not found.") % {"term": term})


def _has_scores(drive: Drive) -> bool:
    totals = drive.players.filter(totals__total__isnull=False)
    return bool(list_scored_tables(drive)) or totals.exists()


@transaction.atomic
def set_round_count(*, drive: Drive, round_count: int | None, by: Actor) -> Drive:
    """Set the number of rounds, to play longer or to end early.

    If all rounds are drawn ahead, additional rounds are drawn, which avoid the meetings of
    existing rounds. Surplus rounds are deleted.
    """
    with record_seat_change(drive, "drive.rounds", by=by) as change:
        locked_drive = change.drive
        check_hand_and_round_counts(locked_drive.hands, round_count)
        if round_count is not None and round_count < locked_drive.at_round:
            message = _("Round %(round)s is already in play.")
            raise ActionUnavailable(message % {"round": locked_drive.at_round})
        check_no_later_scores(locked_drive, round_count)
        change.audit_before, change.audit_after = (
            {"rounds": locked_drive.rounds},
            {"rounds": round_count},
        )
        old_round_count, locked_drive.rounds = locked_drive.rounds, round_count
        locked_drive.clean_fields(exclude=["club", "evening"])
        locked_drive.save(update_fields=["rounds"])
        last_played_round = max(locked_drive.played.values_list("number", flat=True), default=0)
        if round_count is not None and last_played_round > round_count:
            for round_number in range(round_count + 1, last_played_round + 1):
                delete_round(locked_drive, round_number)
        elif (
            round_count is not None
            and old_round_count is not None
            and locked_drive.at_round
            and last_played_round == old_round_count
        ):
            draw_additional_rounds(locked_drive, last_played_round + 1, by=by)
    return locked_drive
