"""Values computed from a drive's rows: winners, missing scores, doubtful cards, and prizes.

Only the awards of a close are stored; everything else follows from the scores.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.draw.chance import Chance
from drives.draw.company import Player
from drives.held import HeldDrive, HeldRound
from drives.models import Prize
from drives.moves.state import Side
from drives.prizes import awarding
from drives.prizes.awarding import Award, runners_of, terms_of
from drives.prizes.prize import Prize as Line
from drives.prizes.prize import Ties
from drives.scores.room_check import Suspects, suspects

MOST_NAMED = 12
HEAD, ANY, CLOCK = "head", "any", "clock"
BELLS = ("", HEAD, ANY, CLOCK)
"""The codes of who rings the bell: no one, table 1, the first table to finish, or the clock.

Source: the progressive games of the older books, where the head table's or any table's rings.
"""


def wrong_cards(held: HeldDrive, off: int) -> Suspects:
    """Return the cards that may explain a given difference in the check of totals."""
    totals: dict[Player, int] = {}
    rows: dict[Player, list[int]] = {}
    typed: dict[Player, list[int]] = {}
    for each in held.totals:
        if each.total is not None:
            typed.setdefault(each.player.number, []).append(each.total)
            totals[each.player.number] = totals.get(each.player.number, 0) + each.total
            rows.setdefault(each.player.number, []).extend(each.rows)
    return suspects(totals, rows, off, typed)


def sides_at(held: HeldRound, table: int) -> tuple[int, int] | None:
    """Return the scores of a table's two sides in a round so far; None without scores."""
    score, extras = held.figures_at(table)
    if not score:
        return None
    made = [a + b for a, b in zip(score, extras or (0,) * len(score), strict=True)]
    return (made[0] + made[2], made[1] + made[3]) if len(made) == 4 else (made[0], made[1])


def winners_of(held: HeldDrive, number: int) -> tuple[dict[int, str], list[int], list[int]]:
    """Return the winners of a round by table, the tied tables, and those without a score."""
    winners: dict[int, str] = {}
    equal, open_ = [], []
    round_ = held.rounds[number]
    for table in round_.tables:
        made = sides_at(round_, table)
        if made is None:
            open_.append(table)
        elif made[0] == made[1]:
            equal.append(table)
        else:
            winners[table] = str(Side.A if made[0] > made[1] else Side.B)
    return winners, equal, open_


def left_behind(held: HeldDrive) -> list[tuple[int, list[int]]]:
    """Return the earlier rounds that have scores, with the tables whose scores are missing.

    Nothing is missing where cards are handed in instead, or where no sheets are entered.
    """
    hands = held.drive.hands
    found = [
        (number, [table for table in each.tables if each.hands_entered(table, hands) < hands])
        for number, each in held.rounds.items()
        if number < held.drive.at_round and each.is_scored
    ]
    return [] if held.scores.cards else [(number, tables) for number, tables in found if tables]


def missing_scores(held: HeldDrive) -> list[str]:
    """Return messages about what a close lacks: sheets where sheets are entered, else cards."""
    handed = {(card.number, card.part) for card in held.scores.cards}
    if handed:
        parts = range(1, 3 if held.drive.halves else 2)
        missing = [
            str(player.number)
            for player in held.ranked
            if any((player.number, part) not in handed for part in parts)
        ]
        words = ngettext(
            "Card %(cards)s is missing.", "Cards %(cards)s are missing.", len(missing)
        )
        return [words % {"cards": _listed(missing)}] if missing else []
    found = []
    for number, each in held.rounds.items():
        tables = [
            str(table)
            for table in each.tables
            if number <= held.drive.at_round
            and each.hands_entered(table, held.drive.hands) < held.drive.hands
        ]
        if tables:
            words = ngettext(
                "Round %(round)s: table %(tables)s has not entered all.",
                "Round %(round)s: tables %(tables)s have not entered all.",
                len(tables),
            )
            found.append(words % {"round": number, "tables": _listed(tables)})
    return found


def _listed(numbers: Sequence[str]) -> str:
    """Return a few numbers as text, and the count of the others."""
    named = ", ".join(numbers[:MOST_NAMED])
    more = len(numbers) - MOST_NAMED
    if more <= 0:
        return named
    return _("%(named)s and %(more)s more") % {"named": named, "more": more}


def drawn_winner(secret: bytes, number: int, table: int) -> str:
    """Return the side that wins the lot after a tie; the secret can repeat the draw."""
    sides = (Side.A, Side.B)
    return str(sides[Chance(secret, "tie", number, table).one_below(2)])


def awards(held: HeldDrive, prizes: list[Prize], *, revealed: bool) -> list[Award]:
    """Return the winners of the prizes by the present scores.

    Ties are decided by lot only if the drive's secret is `revealed`.
    """
    lines = [line_of(prize) for prize in prizes]
    return awarding.give(lines, runners_of(held.scores), _terms(held, revealed=revealed))


def who_cut(held: HeldDrive, prizes: list[Prize]) -> list[frozenset[Player]]:
    """Return the equals who cut for each prize, both now and as a close would find them.

    A lot for an earlier prize of the list may create equals, which a close then names.
    """
    lines, runners = [line_of(prize) for prize in prizes], runners_of(held.scores)
    now, then = (
        awarding.who_cut(lines, runners, _terms(held, revealed=revealed))
        for revealed in (False, True)
    )
    return [one | other for one, other in zip(now, then, strict=True)]


def _terms(held: HeldDrive, *, revealed: bool) -> awarding.Terms:
    drive = held.drive
    secret = bytes(drive.secret or b"") if revealed else b""
    return terms_of(held.scores, drive.name, secret, one_each=drive.one_prize_each)


def line_of(prize: Prize) -> Line:
    """Return a prize as a value for awarding."""
    return Line(
        words=prize.words,
        field=prize.field,
        measure=prize.measure,
        count=prize.count,
        ties=Ties(prize.ties),
        places=tuple(prize.places),
        then=tuple(prize.then),
        round=prize.round,
        least=prize.least,
        won=tuple(prize.won),
        cut_by=tuple(prize.cut_by or ()),
    )
