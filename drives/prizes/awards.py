"""Decides who wins each prize, in the order of the prize list, and explains why."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.draw.participants import PlayerId
from drives.prizes.lot import order_players_by_lot
from drives.prizes.prize import (
    EVERYONE_MEASURE,
    HALF_MEASURES,
    LOWEST_TOTAL_MEASURE,
    ROUND_MEASURES,
    Candidate,
    PrizeLine,
    PrizeTieRule,
    find_measure,
    format_measure,
    is_eligible_for_prize,
)
from drives.scores.drive_scores import DriveScores
from drives.scores.sheets import has_any_score

MAX_NAMED_PLAYERS = 6
PLAYER_PLACEHOLDER_PATTERN = re.compile(r"\{([0-9]+)\}")
SortKey = tuple[Fraction, ...]


class PrizeAward(NamedTuple):
    """The winner of a prize, with the reason.

    `player_number` is None before tied players have cut cards or a lot was drawn.
    """

    prize_number: int
    player_number: PlayerId | None
    reason: str
    needs_cut: bool = False  # whether tied players still have to cut cards


@dataclass(frozen=True, kw_only=True)
class AwardTerms:
    """The conditions for prizes; `drive_name` and `secret` decide lots.

    `round_count` is the number of rounds played. If `has_halves` is true, a score card has
    parts 1 and 2, one for each half, else only part 1. `entered_card_parts` are the parts that
    were handed in. `format_player` returns the text for a player in the reasons.
    """

    has_one_prize_each: bool
    round_count: int
    drive_name: str
    secret: bytes
    entered_card_parts: frozenset[int] = frozenset()
    has_halves: bool = False
    format_player: Callable[[PlayerId], str] = str


def list_candidates(scores: DriveScores) -> list[Candidate]:
    """Return the candidates for prizes: the ranked players."""
    return [
        Candidate(
            number=player_number,
            tally=scores.tallies[player_number],
            role=competitor.role,
            club_name=competitor.club_name,
            fort_name=competitor.fort_name,
            is_present=competitor.is_present,
            round_numbers=scores.round_numbers,
            is_attendance_complete=competitor.attended_rounds.covers_all_rounds(
                scores.planned_round_count
            ),
        )
        for player_number, competitor in scores.competitor_by_number.items()
        if player_number in scores.tallies
    ]


def build_award_terms(
    scores: DriveScores,
    drive_name: str,
    secret: bytes,
    *,
    has_one_prize_each: bool,
    format_player: Callable[[PlayerId], str],
) -> AwardTerms:
    """Return the conditions for the prizes of a drive; no lot is drawn if `secret` is empty."""
    return AwardTerms(
        has_one_prize_each=has_one_prize_each,
        round_count=0 if scores.cards else sum(map(has_any_score, scores.rounds)),
        entered_card_parts=scores.entered_parts,
        has_halves=scores.has_halves,
        drive_name=drive_name,
        secret=secret,
        format_player=format_player,
    )


def award_prizes(
    prizes: Sequence[PrizeLine], candidates: Sequence[Candidate], terms: AwardTerms
) -> list[PrizeAward]:
    """Award the prizes in the order of the list.

    If the terms allow only one prize per person, a winner gets no later prize. But a player who
    has only won a prize that everybody gets can still win another one.
    """
    return [
        award
        for awards, _tied_players in _iter_prize_awards(prizes, candidates, terms)
        for award in awards
    ]


def find_cutting_players(
    prizes: Sequence[PrizeLine], candidates: Sequence[Candidate], terms: AwardTerms
) -> list[frozenset[PlayerId]]:
    """Return the tied players who cut cards for each prize, even if they have already cut."""
    return [
        tied_players for _awards, tied_players in _iter_prize_awards(prizes, candidates, terms)
    ]


def _iter_prize_awards(
    prizes: Sequence[PrizeLine], candidates: Sequence[Candidate], terms: AwardTerms
) -> Iterator[tuple[list[PrizeAward], frozenset[PlayerId]]]:
    """Yield the awards of each prize in order, and the tied players who cut cards for it."""
    prize_number_by_holder: dict[PlayerId, int] = {}
    for prize_number, prize in enumerate(prizes, start=1):
        eligible_candidates = [
            candidate
            for candidate in candidates
            if is_eligible_for_prize(
                candidate, prize, terms.round_count, terms.entered_card_parts
            )
        ]
        if prize.measure == EVERYONE_MEASURE:
            reason = _("one for everyone")
            yield (
                [
                    PrizeAward(prize_number, candidate.number, reason)
                    for candidate in eligible_candidates
                ],
                frozenset(),
            )
            continue
        if explanation := _explain_undecidable_prize(prize, eligible_candidates, terms):
            yield [PrizeAward(prize_number, None, explanation)], frozenset()
            continue
        award_calculator = _AwardCalculator(
            prize, prize_number, eligible_candidates, terms, prize_number_by_holder
        )
        awards = list(award_calculator.iter_awards())
        yield awards, frozenset(award_calculator.tied_players)
        if terms.has_one_prize_each:
            prize_number_by_holder |= {
                award.player_number: prize_number
                for award in awards
                if award.player_number is not None
            }


def _explain_undecidable_prize(
    prize: PrizeLine, eligible_candidates: Sequence[Candidate], terms: AwardTerms
) -> str:
    """Return the reason why the entered cards cannot decide a prize; "" if they can."""
    if not terms.entered_card_parts or any(
        candidate.tally.points_by_round for candidate in eligible_candidates
    ):
        return ""
    measure_codes = {prize.measure, *prize.then}
    if measure_codes.intersection(HALF_MEASURES) and not terms.has_halves:
        return _("only full totals were entered, so the halves aren’t known")
    if measure_codes.intersection(ROUND_MEASURES):
        return _("card totals don’t show the rounds")
    return ""


class _AwardCalculator:
    """Computes the awards of one prize."""

    def __init__(
        self,
        prize: PrizeLine,
        prize_number: int,
        eligible_candidates: Sequence[Candidate],
        terms: AwardTerms,
        prize_number_by_holder: dict[PlayerId, int],
    ) -> None:
        self.prize, self.prize_number, self.terms, self.prize_number_by_holder = (
            prize,
            prize_number,
            terms,
            prize_number_by_holder,
        )
        measures = [find_measure(code) for code in (prize.measure, *prize.then)]
        self.candidate_by_number = {
            candidate.number: candidate for candidate in eligible_candidates
        }
        # `iter_awards` adds the players who have to cut cards for this prize.
        self.tied_players: set[PlayerId] = set()
        self.sort_key_by_player: dict[PlayerId, SortKey] = {
            candidate.number: tuple(measure(candidate, prize) for measure in measures)
            for candidate in eligible_candidates
        }

    def iter_awards(self) -> Iterator[PrizeAward]:
        """Yield the awards of this prize; players who already have a prize are left out."""
        players = [
            player
            for player in self.sort_key_by_player
            if player not in self.prize_number_by_holder
        ]
        players.sort(key=lambda player: (isinstance(player, str), player))
        players.sort(key=self.sort_key_by_player.__getitem__, reverse=True)
        prize_places = set(self.prize.places or range(1, self.prize.count + 1))
        next_place = 1
        for _sort_key, tied_group in groupby(players, key=self.sort_key_by_player.__getitem__):
            tied_players = list(tied_group)
            places_with_prize = [
                tied_place
                for tied_place in range(next_place, next_place + len(tied_players))
                if tied_place in prize_places
            ]
            if places_with_prize:
                yield from self._award_tied_players(tied_players, next_place, places_with_prize)
            next_place += len(tied_players)

    def _award_tied_players(
        self,
        tied_players: list[PlayerId],
        first_tied_place: int,
        places_with_prize: Sequence[int],
    ) -> Iterator[PrizeAward]:
        """Award the prizes for the places of tied players, by the prize's rule for ties.

        The players share the places from `first_tied_place` on; `places_with_prize` are those
        of these places that win a prize.
        """
        if len(places_with_prize) == len(tied_players) and not self.prize.is_by_lot_only:
            yield from (
                self._build_award(player, first_tied_place, "") for player in tied_players
            )
        elif self.prize.ties is PrizeTieRule.SHARE and not self.prize.is_by_lot_only:
            shared_text = _("shared by %(count)s") % {"count": len(tied_players)}
            yield from (
                self._build_award(player, first_tied_place, shared_text)
                for player in tied_players
            )
        elif self.prize.ties is PrizeTieRule.CUT and not self.prize.is_by_lot_only:
            yield from self._award_by_cut(
                tied_players, first_tied_place, len(places_with_prize)
            )
        else:
            yield from self._award_by_lot(tied_players, first_tied_place, places_with_prize)

    def _award_by_cut(
        self, tied_players: list[PlayerId], first_tied_place: int, prize_count: int
    ) -> Iterator[PrizeAward]:
        self.tied_players.update(tied_players)
        is_cut_valid = not self.prize.cut_by or set(tied_players) <= set(self.prize.cut_by)
        cut_winners = [
            player for player in tied_players if is_cut_valid and player in self.prize.won
        ][:prize_count]
        if len(cut_winners) == prize_count:
            for player in cut_winners:
                yield self._build_award(player, first_tied_place, _("won the cut"))
        else:
            message = _("%(players)s are tied: cut cards")
            yield PrizeAward(
                self.prize_number,
                None,
                message % {"players": self._format_players(tied_players)},
                needs_cut=True,
            )

    def _award_by_lot(
        self,
        tied_players: list[PlayerId],
        first_tied_place: int,
        places_with_prize: Sequence[int],
    ) -> Iterator[PrizeAward]:
        terms = self.terms
        if not terms.secret:
            reason = _("%(players)s are tied: drawn at the close")
            player_list = self._format_players(tied_players)
            yield PrizeAward(self.prize_number, None, reason % {"players": player_list})
            return
        players_in_lot_order = order_players_by_lot(
            terms.secret, terms.drive_name, self.prize_number, tied_players
        )
        for prize_place in places_with_prize:
            reason = _("drawn from %(count)s") % {"count": len(tied_players)}
            yield self._build_award(
                players_in_lot_order[prize_place - first_tied_place], first_tied_place, reason
            )

    def _build_award(
        self, player: PlayerId, first_tied_place: int, extra_reason: str
    ) -> PrizeAward:
        """Return an award with the reason: the place and the score.

        A second sentence names better players who already have a prize.
        """
        reason_parts = (
            []
            if self.prize.is_by_lot_only
            else [
                self._format_place(player),
                format_measure(self.candidate_by_number[player], self.prize),
            ]
        )
        reason_parts += [extra_reason] if extra_reason else []
        better_players = [
            other_player
            for other_player in self.sort_key_by_player
            if other_player in self.prize_number_by_holder
            and self.sort_key_by_player[other_player] > self.sort_key_by_player[player]
        ]
        reason = ", ".join(reason_parts)
        if better_players and not self.prize.is_by_lot_only:
            message = ngettext(
                "%(players)s is ahead but already has a prize.",
                "%(players)s are ahead but already have a prize.",
                len(better_players),
            )
            reason += ". " + message % {"players": self._format_players(better_players)}
        return PrizeAward(self.prize_number, player, reason)

    def _format_place(self, player: PlayerId) -> str:
        better_player_count = sum(
            sort_key > self.sort_key_by_player[player]
            for sort_key in self.sort_key_by_player.values()
        )
        place_text = _("place %(place)s") % {"place": better_player_count + 1}
        if self.prize.measure != LOWEST_TOTAL_MEASURE:
            return place_text
        lowest_total_text = _("lowest total")
        return (
            f"{lowest_total_text}, {place_text}" if better_player_count else lowest_total_text
        )

    def _format_players(self, players: Sequence[PlayerId]) -> str:
        """Return the names of the first players, with the count of further players."""
        player_names = [self.terms.format_player(player) for player in players]
        unnamed_count = len(player_names) - MAX_NAMED_PLAYERS
        if unnamed_count > 0:
            names_text = ", ".join(player_names[:MAX_NAMED_PLAYERS])
            return _("%(named)s and %(more)s more") % {
                "named": names_text,
                "more": unnamed_count,
            }
        if len(player_names) == 1:
            return player_names[0]
        return _("%(some)s and %(last)s") % {
            "some": ", ".join(player_names[:-1]),
            "last": player_names[-1],
        }


def format_player_placeholder(player: PlayerId) -> str:
    """Return the placeholder of a player in a stored reason, e.g. "{12}".

    Pages replace it by a name. The name is not stored, because some visitors may not see full
    names, and names may change after the close.
    """
    return f"{{{player}}}"


def fill_in_names(reason: str, format_player: Callable[[int], str]) -> str:
    """Replace the placeholders of players in a reason by names."""
    return PLAYER_PLACEHOLDER_PATTERN.sub(lambda match: format_player(int(match[1])), reason)
