"""Services that create a drive from names, players or a number, and change its terms."""

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
from clubs.errors import NotNow
from clubs.evenings.event_days import format_event_day_error, is_event_day
from clubs.models import Club, Evening
from drives.draw.participants import MAX_PARTICIPANTS, MIN_PARTICIPANTS, check_rounds
from drives.draw.random_stream import RandomStream
from drives.drive_results import BELL_CODES
from drives.errors import DriveRefused
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
    MEET_AT_TABLE,
    MEET_TERM,
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
    check_last,
    check_open,
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
"""The fields that may be changed in a closed drive too: no award or lot depends on them."""


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
    starts: bool = True,
    secret: bytes | None = None,
    form_key: str | None = None,
    by: Actor,
    **terms: Any,
) -> Drive:
    """Create a drive with its cards, seal its secret, and draw the first round if it `starts`.

    `numbering` gives numbers in the order of the players, by lot, or by drawn cards, which seat
    the first round too; given numbers are kept. `terms` are fields of the row; the defaults are
    the house's. Idempotent by `form_key`. Raises DriveRefused, or ValidationError for an
    invalid field.
    """
    if existing_drive := Drive.objects.find_created(club, form_key):
        return existing_drive
    if starts and not MIN_PARTICIPANTS <= len(players) <= MAX_PARTICIPANTS:
        message = _("A drive has %(fewest)s to %(most)s players, not %(count)s.")
        count = {"fewest": MIN_PARTICIPANTS, "most": MAX_PARTICIPANTS, "count": len(players)}
        hint = _("Enter the names, one per line, or the number of players.")
        raise DriveRefused(f"{message % count} {hint}")
    if not is_event_day(date):
        raise DriveRefused(format_event_day_error())
    fields = _load_house_terms(club, form) | terms
    if numbering == NUMBER_BY_CARDS:
        fields["terms"] = dict(fields.get("terms") or {}) | {START_TERM: START_BY_CARDS}
    drive = _build_drive(club, name, date, form, fields)
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
    _check_apart(drive)
    _create_usual_prizes(drive)
    audit.record(
        by,
        "drive.created",
        subject=drive,
        where={"name": name},
        after={"date": date.isoformat(), "form": form, "players": len(players)},
        back=build_creation_undo(Drive, "seats"),
    )
    return begin_next_round(drive=drive, at=0, by=by) if starts else drive


def _load_house_terms(club: Club, form: str) -> dict[str, Any]:
    """Return the house's defaults; its custom only for the form to which it applies."""
    row = HouseTerms.objects.filter(club=club).first()
    house_terms = row.terms if row else {}
    is_own = form == house_terms.get("form", form)
    return {
        name: value
        for name, value in house_terms.items()
        if name in CHANGEABLE_FIELDS and (name != "terms" or is_own)
    }


def _create_usual_prizes(drive: Drive) -> None:
    """Give a drive the house's usual prizes; a rehearsal copies its own."""
    row = HouseTerms.objects.filter(club=drive.club_id).first()
    if row is None or drive.is_rehearsal:
        return
    lines = parse_prizes(row.terms.get("prizes", []))
    Prize.objects.bulk_create(
        build_prize_row(drive, number, line) for number, line in enumerate(lines, start=1)
    )


def _build_drive(
    club: Club, name: str, date: Date, form: str, terms: Mapping[str, Any]
) -> Drive:
    for term in terms:
        if term not in (*CHANGEABLE_FIELDS, "is_rehearsal"):
            raise DriveRefused(_("Setting “%(term)s” not found.") % {"term": term})
    return Drive(
        club=club,
        evening=Evening(club=club, date=date),
        slug=Drive.create_slug(name, date),
        name=name,
        form=form,
        **{"score": {"kind": "tricks"}, **terms},
    )


def _check_drive_terms(drive: Drive) -> None:
    """Refuse an unknown form, score or term before anything is written."""
    check_length(drive.hands, drive.rounds)
    texts = [drive.name, drive.first_word, drive.second_word]
    if not all(text.isprintable() for text in texts) or not can_be_stored(
        [drive.score, drive.terms]
    ):
        raise DriveRefused(_("The text contains invalid characters."))
    form = find_play_form(drive.form)
    parse_score_terms(drive.score)
    check_custom(drive.terms, form)
    drive.clean_fields(exclude=["club", "evening"])


def check_custom(terms: Mapping[str, Any], form: DriveForm) -> None:
    """Raise DriveRefused for an unknown custom, bell or tie rule of a form."""
    custom = select_form_terms(terms)
    if not is_tie_rule(terms.get(TIES_TERM, TieRule.LOT)):
        message = _("“ties” must be one of: %(rules)s.")
        raise DriveRefused(message % {"rules": ", ".join(TieRule)})
    if START_TERM in terms and not (
        terms[START_TERM] == START_BY_CARDS and can_seat_by_cards(form)
    ):
        raise DriveRefused(
            _("Players can draw cards for seats only if results decide who moves.")
        )
    if MEET_TERM in terms and not (
        terms[MEET_TERM] == MEET_AT_TABLE and can_meet_at_tables(form)
    ):
        raise DriveRefused(_("In a social drive or a random draw, “meet” must be “table”."))
    if terms.get(BELL_TERM, "") not in BELL_CODES:
        raise DriveRefused(_("Choose who rings the bell: table 1, any table, or the clock."))
    foreign = [term for term in custom if term not in form.terms]
    if foreign:
        message = _("Type “%(form)s” has no setting “%(term)s”.")
        raise DriveRefused(message % {"form": form.code, "term": foreign[0]})
    form.format_call(custom)


def check_length(hands: int, rounds: int | None) -> None:
    """Raise DriveRefused for an impossible number of hands or rounds."""
    if not 1 <= hands <= MAX_HANDS:
        message = _("A round has 1 to %(most)s hands, not %(hands)s.")
        raise DriveRefused(message % {"most": MAX_HANDS, "hands": hands})
    if rounds is not None:
        check_rounds(rounds)


def _assign_numbers(
    drive: Drive, players: Sequence[NewPlayer], numbering: str
) -> Sequence[NewPlayer]:
    """Return the players with their numbers; others get a free number at random."""
    if numbering == NUMBER_BY_ARRIVAL:
        return players
    if numbering not in (NUMBER_BY_LOT, NUMBER_BY_CARDS):
        raise DriveRefused(_("Choose numbers by arrival, by draw or by cards."))
    random_stream = RandomStream(bytes(drive.secret or b""), "numbers")
    given_numbers = {player.number for player in players if player.number is not None}
    free_numbers = (number for number in count(1) if number not in given_numbers)
    missing_count = sum(player.number is None for player in players)
    order = random_stream.shuffle(list(islice(free_numbers, missing_count)))
    if numbering == NUMBER_BY_CARDS:
        return _assign_card_numbers(players, order, max(order, default=0))
    dealt = iter(order)
    return [
        player if player.number is not None else replace(player, number=next(dealt))
        for player in players
    ]


def _assign_card_numbers(
    players: Sequence[NewPlayer], order: list[int], highest: int
) -> Sequence[NewPlayer]:
    """Assign numbers as cards: firsts get numbers of first seats while there are any."""
    highest = max(
        [highest, *(player.number for player in players if player.number is not None)]
    )
    if highest > MAX_PLAYERS:
        message = _("One pack has only %(most)s cards. Draw the numbers instead.")
        raise DriveRefused(message % {"most": MAX_PLAYERS})
    numbered_players = list(players)
    with_role_first = sorted(
        range(len(numbered_players)), key=lambda at: not numbered_players[at].role
    )
    for at in with_role_first:
        if numbered_players[at].number is None:
            role_numbers = [
                number
                for number in order
                if get_seat_role((number - 1) % 4) == numbered_players[at].role
            ]
            number = (role_numbers or order)[0]
            order.remove(number)
            numbered_players[at] = replace(numbered_players[at], number=number)
    return numbered_players


def _check_apart(drive: Drive) -> None:
    known_numbers = set(drive.players.filter(house=False).values_list("number", flat=True))
    for number in (number for pair in drive.apart for number in pair):
        if number not in known_numbers:
            raise DriveRefused(_("Player %(number)s not found.") % {"number": number})


@transaction.atomic
def change_terms(*, drive: Drive, by: Actor, **terms: Any) -> Drive:
    """Change the name, the score or other terms of a drive.

    Hands and score are fixed once there is a score. The custom by which results move is fixed
    once it has moved players, since a draw is repeated by the same terms. A closed drive keeps
    its name and terms, by which its lots were drawn. Raises NotNow or DriveRefused.
    """
    row = lock_activity(drive)
    if (
        "terms" in terms and START_TERM in row.terms
    ):  # the seating of the first round cannot change
        terms["terms"] = {START_TERM: row.terms[START_TERM]} | dict(terms["terms"])
    before = {name: getattr(row, name) for name in terms if name in CHANGEABLE_FIELDS}
    _refuse_unknown(terms)
    changed = {name: value for name, value in terms.items() if before[name] != value}
    changed.pop("rounds", None)  # `set_round_count` changes it
    if not changed:
        return row
    _refuse_settled(row, changed)
    for name, value in changed.items():
        setattr(row, name, value)
    _check_drive_terms(row)
    row.save(update_fields=list(changed))
    if {"trumps", "hands"} & set(changed):
        for round_ in row.played.all():
            round_.trumps = compute_round_trumps(row, round_.number)
            round_.save(update_fields=["trumps"])
    increment_revision(row)
    audit.record(
        by,
        "drive.changed",
        subject=row,
        before={name: before[name] for name in changed},
        after=changed,
        back=Undo(
            tuple(f"drive {name}" for name in changed),
            "drive.change",
            {name: before[name] for name in changed},
        ),
    )
    return row


def _refuse_settled(drive: Drive, changed: Mapping[str, Any]) -> None:
    """Refuse a change of terms that are fixed by the close, by scores, or by past moves."""
    if set(changed) - ALWAYS_CHANGEABLE_FIELDS:
        check_open(drive)
    if {"score", "hands"} & set(changed) and _has_scores(drive):
        raise NotNow(_("Scores have been entered, so scoring and hands can't change."))
    if "terms" in changed and select_form_terms(drive.terms) != select_form_terms(
        changed["terms"]
    ):
        _check_club_not_moved(drive)
    start = drive.terms.get(START_TERM)
    is_new_start = changed.get("terms", drive.terms).get(START_TERM) != start
    if is_new_start and drive.played.exists():
        raise NotNow(_("Round 1 is already seated, so seating by drawn cards can't change."))


def _check_club_not_moved(drive: Drive) -> None:
    if drive.played.filter(draw__kind=Draw.Kind.MOVED).exists():
        raise NotNow(
            _("Tables have already moved by these rules, so they can't change tonight.")
        )


def _refuse_unknown(terms: Mapping[str, Any]) -> None:
    for term in terms:
        if term not in CHANGEABLE_FIELDS:
            raise DriveRefused(_("Setting “%(term)s” not found.") % {"term": term})


def _has_scores(drive: Drive) -> bool:
    totals = drive.players.filter(totals__total__isnull=False)
    return bool(list_scored_tables(drive)) or totals.exists()


@transaction.atomic
def set_round_count(*, drive: Drive, rounds: int | None, by: Actor) -> Drive:
    """Set the number of rounds: an evening may continue, or end early.

    Where all are drawn ahead, additional rounds are drawn with memory of the existing ones, and
    surplus rounds are deleted.
    """
    with record_seat_change(drive, "drive.rounds", by=by) as change:
        row = change.drive
        check_length(row.hands, rounds)
        if rounds is not None and rounds < row.at_round:
            message = _("Round %(round)s is already in play.")
            raise NotNow(message % {"round": row.at_round})
        check_last(row, rounds)
        change.audit_before, change.audit_after = {"rounds": row.rounds}, {"rounds": rounds}
        old_count, row.rounds = row.rounds, rounds
        row.clean_fields(exclude=["club", "evening"])
        row.save(update_fields=["rounds"])
        last = max(row.played.values_list("number", flat=True), default=0)
        if rounds is not None and last > rounds:
            for number in range(rounds + 1, last + 1):
                delete_round(row, number)
        elif (
            rounds is not None and old_count is not None and row.at_round and last == old_count
        ):
            draw_additional_rounds(row, last + 1, by=by)
    return row
