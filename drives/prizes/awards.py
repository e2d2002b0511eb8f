"""The computation of awards in the order of the prize list, each with its reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.draw.participants import PlayerId
from drives.prizes.lot import order_by_lot
from drives.prizes.prize import (
    EVERYONE_MEASURE,
    HALF_MEASURES,
    ROUND_MEASURES,
    Candidate,
    PrizeLine,
    PrizeTieRule,
    find_measure,
    format_measure,
    is_in_field,
)
from drives.scores.drive_scores import DriveScores
from drives.scores.sheets import is_entered

MAX_NAMED_PLAYERS = 6
Merit = tuple[Fraction, ...]


class PrizeAward(NamedTuple):
    """A prize with its winner and the reason; no winner while a cut or a draw is due."""

    prize: int
    number: PlayerId | None
    reason: str
    is_cut: bool = False  # whether equals have still to cut for it


@dataclass(frozen=True, kw_only=True)
class AwardTerms:
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


def list_candidates(scores: DriveScores) -> list[Candidate]:
    """Return the candidates for prizes: the ranked players."""
    return [
        Candidate(
            number=number,
            tally=scores.tallies[number],
            role=competitor.role,
            club=competitor.club,
            fort=competitor.fort,
            present=competitor.present,
            rounds=scores.round_numbers,
            attended_all_evening=competitor.stay.covers_whole_evening(scores.planned_rounds),
        )
        for number, competitor in scores.players.items()
        if number in scores.tallies
    ]


def build_award_terms(
    scores: DriveScores, drive: str, secret: bytes, *, one_each: bool
) -> AwardTerms:
    """Return the conditions for the prizes of a drive; without a secret no lots are drawn."""
    return AwardTerms(
        one_each=one_each,
        rounds=0 if scores.cards else sum(map(is_entered, scores.rounds)),
        parts=scores.entered_parts,
        halves=scores.halves,
        drive=drive,
        secret=secret,
    )


def award_prizes(
    prizes: Sequence[PrizeLine], candidates: Sequence[Candidate], terms: AwardTerms
) -> list[PrizeAward]:
    """Award the prizes in the order of the list.

    The winner of a prize leaves later prizes to other players, if the terms say so. A prize
    that all players get does not count as one that they have.
    """
    return [
        award
        for awards, _equals in _iter_prize_awards(prizes, candidates, terms)
        for award in awards
    ]


def find_cutting_players(
    prizes: Sequence[PrizeLine], candidates: Sequence[Candidate], terms: AwardTerms
) -> list[frozenset[PlayerId]]:
    """Return the tied players who cut cards for each prize, even if the cut is decided."""
    return [
        tied_players for _awards, tied_players in _iter_prize_awards(prizes, candidates, terms)
    ]


def _iter_prize_awards(
    prizes: Sequence[PrizeLine], candidates: Sequence[Candidate], terms: AwardTerms
) -> Iterator[tuple[list[PrizeAward], frozenset[PlayerId]]]:
    """Yield the awards of each prize in order, and the tied players who cut cards for it."""
    holders: dict[PlayerId, int] = {}
    for number, prize in enumerate(prizes, start=1):
        field = [
            candidate
            for candidate in candidates
            if is_in_field(candidate, prize, terms.rounds, terms.parts)
        ]
        if prize.measure == EVERYONE_MEASURE:
            reason = _("one for everyone")
            yield [PrizeAward(number, each.number, reason) for each in field], frozenset()
            continue
        if explanation := _explain_undecidable(prize, field, terms):
            yield [PrizeAward(number, None, explanation)], frozenset()
            continue
        line = _PrizeAwarding(prize, number, field, terms, holders)
        awards = list(line.iter_awards())
        yield awards, frozenset(line.equals)
        if terms.one_each:
            holders |= {award.number: number for award in awards if award.number is not None}


def _explain_undecidable(
    prize: PrizeLine, field: Sequence[Candidate], terms: AwardTerms
) -> str:
    """Return why a prize cannot be decided from the entered cards; "" if it can be."""
    if not terms.parts or any(candidate.tally.by_round for candidate in field):
        return ""
    measures = {prize.measure, *prize.then}
    if measures.intersection(HALF_MEASURES) and not terms.halves:
        return _("whole-card totals don't show the halves")
    if measures.intersection(ROUND_MEASURES):
        return _("card totals don't show the rounds")
    return ""


class _PrizeAwarding:
    """The awarding of one prize."""

    def __init__(
        self,
        prize: PrizeLine,
        number: int,
        field: Sequence[Candidate],
        terms: AwardTerms,
        holders: dict[PlayerId, int],
    ) -> None:
        self.prize, self.number, self.terms, self.holders = prize, number, terms, holders
        measures = [find_measure(code) for code in (prize.measure, *prize.then)]
        self.field = {candidate.number: candidate for candidate in field}
        self.equals: set[PlayerId] = set()  # the players who cut cards, after `awards`
        self.merit: dict[PlayerId, Merit] = {
            candidate.number: tuple(measure(candidate, prize) for measure in measures)
            for candidate in field
        }

    def iter_awards(self) -> Iterator[PrizeAward]:
        """Yield the awards; places are counted among the players who have no prize yet."""
        players = [player for player in self.merit if player not in self.holders]
        players.sort(key=lambda player: (isinstance(player, str), player))
        players.sort(key=self.merit.__getitem__, reverse=True)
        prize_places = set(self.prize.places or range(1, self.prize.count + 1))
        place = 1
        for _merit, group in groupby(players, key=self.merit.__getitem__):
            tied_players = list(group)
            places = [p for p in range(place, place + len(tied_players)) if p in prize_places]
            if places:
                yield from self._award_tied_players(tied_players, place, places)
            place += len(tied_players)

    def _award_tied_players(
        self, tied_players: list[PlayerId], first: int, places: Sequence[int]
    ) -> Iterator[PrizeAward]:
        """Award equal players on consecutive places, of which some may have no prize."""
        if len(places) == len(tied_players) and not self.prize.is_by_lot_only:
            yield from (self._build_award(player, first, "") for player in tied_players)
        elif self.prize.ties is PrizeTieRule.SHARE and not self.prize.is_by_lot_only:
            shared = _("shared by %(count)s") % {"count": len(tied_players)}
            yield from (self._build_award(player, first, shared) for player in tied_players)
        elif self.prize.ties is PrizeTieRule.CUT and not self.prize.is_by_lot_only:
            yield from self._award_cut(tied_players, first, len(places))
        else:
            yield from self._award_by_lot(tied_players, first, places)

    def _award_cut(
        self, tied_players: list[PlayerId], first: int, count: int
    ) -> Iterator[PrizeAward]:
        self.equals.update(tied_players)
        is_valid = not self.prize.cut_by or set(tied_players) <= set(self.prize.cut_by)
        won = [player for player in tied_players if is_valid and player in self.prize.won][
            :count
        ]
        if len(won) == count:
            for player in won:
                yield self._build_award(player, first, _("won the cut"))
        else:
            message = _("%(players)s are tied: cut cards")
            yield PrizeAward(
                self.number,
                None,
                message % {"players": _format_players(tied_players)},
                is_cut=True,
            )

    def _award_by_lot(
        self, tied_players: list[PlayerId], first: int, places: Sequence[int]
    ) -> Iterator[PrizeAward]:
        terms = self.terms
        if not terms.secret:
            words = _("%(players)s are tied: drawn at the close")
            yield PrizeAward(
                self.number, None, words % {"players": _format_players(tied_players)}
            )
            return
        order = order_by_lot(terms.secret, terms.drive, self.number, tied_players)
        for place in places:
            words = _("drawn from %(count)s") % {"count": len(tied_players)}
            yield self._build_award(order[place - first], first, words)

    def _build_award(self, player: PlayerId, place: int, extra_reason: str) -> PrizeAward:
        """Return an award with its reason: the place and score, and players passed over because
        they already have a prize.
        """
        reasons = (
            []
            if self.prize.is_by_lot_only
            else [self._format_place(player), format_measure(self.field[player], self.prize)]
        )
        reasons += [extra_reason] if extra_reason else []
        better_players = [
            other
            for other in self.merit
            if other in self.holders and self.merit[other] > self.merit[player]
        ]
        if better_players and not self.prize.is_by_lot_only:
            message = ngettext(
                "%(players)s is ahead but already has a prize",
                "%(players)s are ahead but already have prizes",
                len(better_players),
            )
            reasons.append(message % {"players": _format_players(better_players)})
        return PrizeAward(self.number, player, ", ".join(reasons))

    def _format_place(self, player: PlayerId) -> str:
        better = sum(merit > self.merit[player] for merit in self.merit.values())
        return _("place %(place)s") % {"place": better + 1}


def _format_players(players: Sequence[PlayerId]) -> str:
    """Return the names of the first players, with the count of further players."""
    shown_names = ", ".join(str(player) for player in players[:MAX_NAMED_PLAYERS])
    further_count = len(players) - MAX_NAMED_PLAYERS
    return (
        shown_names
        if further_count <= 0
        else _("%(named)s and %(more)s more") % {"named": shown_names, "more": further_count}
    )
