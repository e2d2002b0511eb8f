"""The awarding of prizes down the list, each award with its reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.draw.company import Player
from drives.prizes.lot import by_lot
from drives.prizes.prize import (
    FOR_EVERYBODY,
    OF_HALVES,
    OF_ROUNDS,
    Prize,
    Runner,
    Ties,
    is_in_field,
    measure_named,
    told,
)
from drives.scores.drive_scores import DriveScores
from drives.scores.sheets import is_entered

MOST_NAMED = 6
Merit = tuple[Fraction, ...]


class Award(NamedTuple):
    """A prize with its winner and the reason; no winner while a cut or a draw is due."""

    prize: int
    number: Player | None
    why: str
    is_cut: bool = False  # whether equals have still to cut for it


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The conditions for prizes: one per person or not, and the name and secret for lots.

    `rounds` is the number of rounds played. `parts` are the parts of cards that were handed in,
    of which there are two with `halves`.
    """

    one_each: bool
    rounds: int
    drive: str
    secret: bytes
    parts: frozenset[int] = frozenset()
    halves: bool = False


def runners_of(scores: DriveScores) -> list[Runner]:
    """Return the candidates for prizes: the ranked players."""
    return [
        Runner(
            number=number,
            tally=scores.tallies[number],
            role=who.role,
            club=who.club,
            fort=who.fort,
            present=who.present,
            rounds=scores.round_numbers,
            whole=who.stay.is_whole(scores.planned),
        )
        for number, who in scores.players.items()
        if number in scores.tallies
    ]


def terms_of(scores: DriveScores, drive: str, secret: bytes, *, one_each: bool) -> Terms:
    """Return the conditions for the prizes of a drive; without a secret no lots are drawn."""
    return Terms(
        one_each=one_each,
        rounds=0 if scores.cards else sum(map(is_entered, scores.rounds)),
        parts=scores.parts,
        halves=scores.halves,
        drive=drive,
        secret=secret,
    )


def give(prizes: Sequence[Prize], runners: Sequence[Runner], terms: Terms) -> list[Award]:
    """Give prizes in the order of the list; winners of one leave the next to those behind them.

    A prize that all players get does not count as one that they have.
    """
    return [award for awards, _equals in _down(prizes, runners, terms) for award in awards]


def who_cut(
    prizes: Sequence[Prize], runners: Sequence[Runner], terms: Terms
) -> list[frozenset[Player]]:
    """Return the equals of each prize who cut cards for it, whether or not one has won yet."""
    return [equals for _awards, equals in _down(prizes, runners, terms)]


def _down(
    prizes: Sequence[Prize], runners: Sequence[Runner], terms: Terms
) -> Iterator[tuple[list[Award], frozenset[Player]]]:
    """Process the list in order; return each prize's awards, and the equals who cut for it."""
    holders: dict[Player, int] = {}
    for number, prize in enumerate(prizes, start=1):
        field = [
            each for each in runners if is_in_field(each, prize, terms.rounds, terms.parts)
        ]
        if prize.measure == FOR_EVERYBODY:
            why = _("everybody has one")
            yield [Award(number, each.number, why) for each in field], frozenset()
            continue
        if untold := _untold(prize, field, terms):
            yield [Award(number, None, untold)], frozenset()
            continue
        line = _Line(prize, number, field, terms, holders)
        awards = list(line.awards())
        yield awards, frozenset(line.equals)
        if terms.one_each:
            holders |= {each.number: number for each in awards if each.number is not None}


def _untold(prize: Prize, field: Sequence[Runner], terms: Terms) -> str:
    """Return why a prize cannot be decided: the cards lack its measure; "" if it can be."""
    if not terms.parts or any(each.tally.by_round for each in field):
        return ""
    asked = {prize.measure, *prize.then}
    if asked.intersection(OF_HALVES) and not terms.halves:
        return _("the totals of whole cards do not tell the halves")
    if asked.intersection(OF_ROUNDS):
        return _("the totals of cards do not tell the rounds")
    return ""


class _Line:
    """One prize while it is awarded."""

    def __init__(
        self,
        prize: Prize,
        number: int,
        field: Sequence[Runner],
        terms: Terms,
        holders: dict[Player, int],
    ) -> None:
        self.prize, self.number, self.terms, self.holders = prize, number, terms, holders
        measures = [measure_named(code) for code in (prize.measure, *prize.then)]
        self.field = {each.number: each for each in field}
        self.equals: set[Player] = set()  # the players who cut cards, after `awards`
        self.merit: dict[Player, Merit] = {
            each.number: tuple(measure(each, prize) for measure in measures) for each in field
        }

    def awards(self) -> Iterator[Award]:
        """Yield the awards; places are counted among those who have no prize yet."""
        free = [player for player in self.merit if player not in self.holders]
        free.sort(key=lambda player: (isinstance(player, str), player))
        free.sort(key=self.merit.__getitem__, reverse=True)
        wanted = set(self.prize.places or range(1, self.prize.count + 1))
        place = 1
        for _merit, group in groupby(free, key=self.merit.__getitem__):
            equal = list(group)
            places = [p for p in range(place, place + len(equal)) if p in wanted]
            if places:
                yield from self._given(equal, place, places)
            place += len(equal)

    def _given(self, equal: list[Player], first: int, places: Sequence[int]) -> Iterator[Award]:
        """Give prizes to equals on consecutive places, of which some may have no prize."""
        if len(places) == len(equal) and not self.prize.chances:
            yield from (self._award(player, first, "") for player in equal)
        elif self.prize.ties is Ties.SHARE and not self.prize.chances:
            shared = _("shared by %(count)s") % {"count": len(equal)}
            yield from (self._award(player, first, shared) for player in equal)
        elif self.prize.ties is Ties.CUT and not self.prize.chances:
            yield from self._cut(equal, first, len(places))
        else:
            yield from self._drawn(equal, first, places)

    def _cut(self, equal: list[Player], first: int, count: int) -> Iterator[Award]:
        self.equals.update(equal)
        stands = not self.prize.cut_by or set(equal) <= set(self.prize.cut_by)
        won = [player for player in equal if stands and player in self.prize.won][:count]
        if len(won) == count:
            for player in won:
                yield self._award(player, first, _("won the cut"))
        else:
            words = _("%(players)s are equal: they cut cards")
            yield Award(self.number, None, words % {"players": _listed(equal)}, is_cut=True)

    def _drawn(self, equal: list[Player], first: int, places: Sequence[int]) -> Iterator[Award]:
        terms = self.terms
        if not terms.secret:
            words = _("%(players)s are equal: the lot decides once the secret is known")
            yield Award(self.number, None, words % {"players": _listed(equal)})
            return
        order = by_lot(terms.secret, terms.drive, self.number, equal)
        for place in places:
            words = _("drawn by the lot from %(count)s") % {"count": len(equal)}
            yield self._award(order[place - first], first, words)

    def _award(self, player: Player, place: int, more: str) -> Award:
        """Return an award with its reason: the place, the score, who had a prize already."""
        reasons = [] if self.prize.chances else [self._place(player), self._made(player)]
        reasons += [more] if more else []
        ahead = [
            other
            for other in self.merit
            if other in self.holders and self.merit[other] > self.merit[player]
        ]
        if ahead and not self.prize.chances:
            words = ngettext(
                "%(players)s, who is ahead, has a prize already",
                "%(players)s, who are ahead, have prizes already",
                len(ahead),
            )
            reasons.append(words % {"players": _listed(ahead)})
        return Award(self.number, player, "; ".join(reasons))

    def _place(self, player: Player) -> str:
        better = sum(merit > self.merit[player] for merit in self.merit.values())
        return _("place %(place)s") % {"place": better + 1}

    def _made(self, player: Player) -> str:
        return _("with %(made)s") % {"made": told(self.field[player], self.prize)}


def _listed(players: Sequence[Player]) -> str:
    """Return a few players by name, and the number of the others."""
    named = ", ".join(str(player) for player in players[:MOST_NAMED])
    more = len(players) - MOST_NAMED
    return (
        named
        if more <= 0
        else _("%(named)s and %(more)s more") % {"named": named, "more": more}
    )
