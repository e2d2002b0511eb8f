"""Services that draw and move rounds: the next one, and later ones when players change."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import audit
from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.evenings.services import restart_clock
from drives.draw.changes import replaced, taken_over
from drives.draw.company import Drawn
from drives.errors import DriveRefused
from drives.forms import Known
from drives.forms.rounds import DrawInput, handed_from, make
from drives.forms.ties import TieRule, tie_rule_of
from drives.held import HeldDrive, HeldRound, read_drive
from drives.ledger import ledger_of
from drives.models import Draw, Drive
from drives.moves.mending import role_at
from drives.moves.state import Role
from drives.reckoning import drawn_winner, winners_of
from drives.services.changes import (
    Seated,
    as_seated,
    changing,
    drop_round,
    scored_tables,
    write_rounds,
)
from drives.trumps import trumps_of


@transaction.atomic
def next_round(
    *,
    drive: Drive,
    at: int | None = None,
    winners: Mapping[int, str] | None = None,
    standing: Sequence[int] = (),
    by: Actor,
) -> Drive:
    """Begin the next round: draw it or move to it, unless it is known already.

    `at` is the round that the page showed: if another is in play by now, as after a double
    click, nothing happens. `winners` (table to A or B) are those that no score decides: after a
    cut, or at a table without a score. `standing`, best first, replaces the computed ranking.
    Raises NotNow or DriveRefused with the reason.
    """
    with changing(drive, "drive.round", by=by) as found:
        row = found.drive
        if at is not None and row.at_round != at:
            return row
        number = row.at_round + 1
        _check_planned(row, number)
        held = read_drive(row)
        if number not in held.rounds:
            _draw(held, number, winners or {}, standing, by)
        row.at_round, row.state = number, Drive.State.OPEN
        found.where = {"round": number}
        restart_clock(evening=row.evening)
    return row


def _check_planned(drive: Drive, number: int) -> None:
    if drive.rounds is not None and number > drive.rounds:
        words = ngettext(
            "The %(rounds)s round is played. Plan one more, or close the drive.",
            "All %(rounds)s rounds are played. Plan one more, or close the drive.",
            drive.rounds,
        )
        raise NotNow(words % {"rounds": drive.rounds})


def _draw(
    held: HeldDrive, number: int, winners: Mapping[int, str], standing: Sequence[int], by: Actor
) -> None:
    """Draw the unknown rounds: the next one, or all of an evening that is planned ahead."""
    drive, known = held.drive, held.form.known
    handed = DrawInput(company=held.company(number, ledger_of(drive)))
    kind = Draw.Kind.DRAWN
    if known is Known.AHEAD:
        if drive.rounds is None:
            raise DriveRefused(_("Say how many rounds there are: they are all drawn at once."))
        _plan(held, list(range(number, drive.rounds + 1)), by)
        return
    if known is Known.ONE_ROUND:
        handed = replace(handed, standing=tuple(standing) or _standing(held, number))
    else:
        handed = _moving(held, number, handed, winners)
        kind = Draw.Kind.MOVED if number > 1 else Draw.Kind.DRAWN
    _write(held, number, kind, handed, by)


def _plan(held: HeldDrive, numbers: Sequence[int], by: Actor) -> None:
    """Draw rounds ahead; those with the same players are drawn together."""
    drive = held.drive
    ledger = ledger_of(drive)
    for _who, group in groupby(numbers, key=lambda number: held.company(number, ledger)):
        alike = list(group)
        handed = DrawInput(company=held.company(alike[0], ledger), rounds=len(alike))
        _write(read_drive(drive), alike[0], Draw.Kind.PLANNED, handed, by)


def draw_more(drive: Drive, number: int, *, by: Actor) -> None:
    """Draw the additional rounds of an evening that is planned ahead; a part of an act."""
    held = read_drive(drive)
    if held.form.known is Known.AHEAD:
        _draw(held, number, {}, (), by)


def _standing(held: HeldDrive, number: int) -> tuple[int, ...]:
    if number == 1 or held.form.code != "standing":
        return ()
    return tuple(each.number for each in held.scores.ranking if isinstance(each.number, int))


def _moving(
    held: HeldDrive, number: int, handed: DrawInput, winners: Mapping[int, str]
) -> DrawInput:
    roles = held.roles() if held.form.roles else {}
    if number == 1:
        return replace(handed, roles=roles)
    return replace(
        handed,
        roles=roles,
        winners=_winners(held, number - 1, winners),
        rests=held.rests(number),
    )


def _winners(held: HeldDrive, number: int, given: Mapping[int, str]) -> dict[int, str]:
    """Return the winner at each table: by the score, by the caller's entry, or by the lot."""
    winners, equal, open_ = winners_of(held, number)
    for table, side in given.items():
        if table not in held.rounds[number].tables:
            raise DriveRefused(_("There is no table %(table)s.") % {"table": table})
        if side not in ("A", "B"):
            words = _("Table %(table)s: the winner must be A or B.")
            raise DriveRefused(words % {"table": table})
        if winners.get(table, side) != side:
            words = _("Table %(table)s: by its score side %(side)s has won.")
            raise DriveRefused(words % {"table": table, "side": winners[table]})
        winners[table] = side
    missing = [table for table in open_ if table not in winners]
    if missing:
        words = ngettext(
            "Table %(tables)s has no score yet: enter it, or say which side won.",
            "Tables %(tables)s have no score yet: enter them, or say which side won.",
            len(missing),
        )
        raise DriveRefused(words % {"tables": ", ".join(map(str, missing))})
    tied = [table for table in equal if table not in winners]
    rule = tie_rule_of(held.drive.terms)
    if tied and rule.needs_entry:
        raise DriveRefused(_tied_words(rule) % {"tables": ", ".join(map(str, tied))})
    secret = bytes(held.drive.secret or b"")
    return winners | {table: drawn_winner(secret, number, table) for table in tied}


def _tied_words(rule: TieRule) -> str:
    """Return the message for tied tables whose winners the organiser has not entered."""
    if rule is TieRule.NEXT_HAND:
        return _(
            "Tied tables: %(tables)s. Enter the side with more tricks in the next hand, or the "
            "winner of the cut."
        )
    if rule is TieRule.HALF:
        return _("Tied tables: %(tables)s. Enter the winner of the cut, only to move.")
    return _("Tied tables: %(tables)s. Enter the winner of the cut.")


def _write(held: HeldDrive, number: int, kind: str, handed: DrawInput, by: Actor) -> None:
    """Make the rounds from a number on, and write them instead of the existing ones."""
    drive = held.drive
    secret = bytes(drive.secret or b"")
    made = make(held.form, drive.terms, handed, secret, held.drawn(number))
    draw = Draw.objects.create(
        drive=drive,
        kind=kind,
        first=number,
        given=handed.data(),
        drawn_at=timezone.now(),
        drawn_by=audit.name_of(by),
    )
    for later in held.rounds:
        if later >= number:
            drop_round(drive, later)
    write_rounds(
        drive,
        [
            as_seated(at, trumps_of(drive, at), draw, drawn)
            for at, drawn in enumerate(made.rounds, start=number)
        ],
    )
    drive.players.filter(number__in=made.out).update(to_round=number - 1)
    if held.form.roles:
        _keep_roles(held, made.rounds[0])


def _keep_roles(held: HeldDrive, drawn: Drawn) -> None:
    """Store roles by seat; players who rest keep their roles, or get one."""
    roles = {who: str(role_at(seat)) for four in drawn.tables for seat, who in enumerate(four)}
    own = held.roles()
    resting = [own.get(who, "") if isinstance(who, int) else "" for who in drawn.rest]
    for who, role in zip(drawn.rest, resting, strict=True):
        if not role:
            firsts = resting.count(Role.FIRST) > resting.count(Role.SECOND)
            role = str(Role.SECOND if firsts else Role.FIRST)
            resting[drawn.rest.index(who)] = role
        roles[who] = role
    for role in (str(Role.FIRST), str(Role.SECOND)):
        changed = [who for who, new in roles.items() if new == role]
        held.drive.players.filter(number__in=changed).update(role=role)


def follow(
    drive: Drive, first: int, *, by: Actor, swaps: Sequence[tuple[int, int]] = ()
) -> None:
    """Adapt the rounds from a number on to a change of players; earlier rounds never change.

    `swaps` are pairs of a player and the one who takes over his seats. It is a part of the act
    that calls it.
    """
    held = read_drive(drive)
    to_play = {number: held.rounds[number] for number in held.rounds if number >= first}
    if not to_play:
        return
    _check_unscored(drive, first, swaps, to_play)
    if held.form.known is Known.AHEAD and not swaps:
        swaps = _taken_over(held, first, list(to_play.values()))
    if swaps:
        _swap(held, to_play, swaps, by)
    elif held.form.together:
        raise DriveRefused(
            _("Pairs and forts stay together: let a substitute or a house player sit down.")
        )
    elif held.form.known is Known.AHEAD:
        _plan(held, list(to_play), by)
    else:
        before = to_play[first].row.draw
        handed = replace(
            handed_from(before.given),
            company=held.company(first, ledger_of(drive)),
            replaced=(),
        )
        _write(held, first, before.kind, handed, by)


def _check_unscored(
    drive: Drive,
    first: int,
    swaps: Sequence[tuple[int, int]],
    to_play: Mapping[int, HeldRound],
) -> None:
    """Refuse to change seats that have a score; a swap only changes its players' tables."""
    goers = {goes for goes, _comes in swaps}
    for number, table in scored_tables(drive):
        if number < first:
            continue
        if swaps and not goers & set(to_play[number].tables.get(table, ())):
            continue
        words = _("A score stands at table %(table)s in round %(round)s: remove it first.")
        raise NotNow(words % {"table": table, "round": number})


def _taken_over(
    held: HeldDrive, first: int, to_play: Sequence[HeldRound]
) -> list[tuple[int, int]]:
    """Return the swap of a house player for the only newcomer; [] if that is impossible."""
    found = taken_over(
        held.company(first),
        held.drawn(first),
        [each.drawn for each in to_play],
        [number for number, row in held.players.items() if row.house],
        stays_together=held.form.together,
    )
    if found is None:
        return []
    goes, comes = map(int, found)  # players here are their numbers
    return [(goes, comes)]


def _swap(
    held: HeldDrive,
    to_play: Mapping[int, HeldRound],
    swaps: Sequence[tuple[int, int]],
    by: Actor,
) -> None:
    """Write the rounds to play with some players replaced; each keeps the input of its draw."""
    draws: dict[int, Draw] = {}
    seated: list[Seated] = []
    swapped: list[Drawn] = []
    for number, each in to_play.items():
        [drawn] = [each.drawn]
        for goes, comes in swaps:
            [drawn] = replaced([drawn], goes, comes)
        swapped.append(drawn)
        old = each.row.draw
        if old.pk not in draws:
            given = dict(old.given)
            if old.kind != Draw.Kind.GIVEN:
                given["replaced"] = [*given.get("replaced", []), *map(list, swaps)]
            draws[old.pk] = Draw.objects.create(
                drive=held.drive,
                kind=old.kind,
                first=old.first,
                given=given,
                drawn_at=timezone.now(),
                drawn_by=audit.name_of(by),
            )
        seated.append(
            Seated(
                number=number,
                trumps=each.row.trumps,
                draw=draws[old.pk],
                tables=dict(zip(each.tables, drawn.tables, strict=True)),
                rest=drawn.rest,
            )
        )
        drop_round(held.drive, number)
    write_rounds(held.drive, seated)
    if held.form.roles:
        _keep_roles(held, swapped[0])
