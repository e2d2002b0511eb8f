"""Builds data for pages: standings, plan statistics, the check of totals, and prizes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from drives.draw.plan_statistics import PlanStatistics, compute_statistics
from drives.drive_results import (
    compute_awards,
    describe_missing_scores,
    find_suspect_score_cards,
)
from drives.models import Award, CardTotal, Prize
from drives.prizes.awards import fill_in_names
from drives.scores.totals_check import find_original_number, find_typing_differences
from drives.sheets.people import Person, build_person
from drives.snapshot import DriveSnapshot
from drives.visibility import NameFormatter, can_players_see_standings

NUMBER_PATTERN = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A player's line in the standings; tied players share the best of their ranks."""

    rank: int
    is_tied: bool
    person: Person
    points: Fraction
    rests: int
    rest_points: Fraction
    rounds_won: Fraction


@dataclass(frozen=True, slots=True)
class DriveStandings:
    """The standings; they are empty if players may not see them yet."""

    is_open: bool
    lines: tuple[StandingLine, ...]
    is_over: bool


def has_scores(snapshot: DriveSnapshot) -> bool:
    """Return whether any table score or card total is entered."""
    return any(round_.has_any_score for round_ in snapshot.round_by_number.values()) or bool(
        snapshot.scores.cards
    )


def build_drive_standings(
    snapshot: DriveSnapshot, format_name: NameFormatter, *, is_for_staff: bool = False
) -> DriveStandings:
    """Return the standings.

    If `is_for_staff` is false, they are empty until players may see them.
    """
    is_open = is_for_staff or can_players_see_standings(snapshot)
    if not is_open:
        return DriveStandings(is_open=False, lines=(), is_over=False)
    standing_lines = []
    for ranked_player in snapshot.scores.ranking:
        tally = snapshot.scores.tallies[ranked_player.number]
        standing_lines.append(
            StandingLine(
                ranked_player.rank,
                ranked_player.is_tied,
                build_person(snapshot, ranked_player.number, format_name),
                ranked_player.points,
                ranked_player.rest_count,
                tally.rest_points,
                tally.rounds_won,
            )
        )
    return DriveStandings(
        is_open=True, lines=tuple(standing_lines), is_over=snapshot.drive.is_closed
    )


def compute_plan_statistics(snapshot: DriveSnapshot) -> PlanStatistics:
    """Return the numbers of repeated meetings in all rounds drawn so far, with lower bounds."""
    drawn_rounds = [round_.seated_round for round_ in snapshot.round_by_number.values()]
    return compute_statistics(
        drawn_rounds, [player.number for player in snapshot.ranked_players]
    )


@dataclass(frozen=True, slots=True)
class CardToCheck:
    """A score card that may be wrong, with its total.

    If two digits may have been exchanged, `typed_number` is the total of the card's `part` as
    typed, and `original_number` is that number with its digits in the right order. Otherwise
    all three are 0.
    """

    person: Person
    total: int
    rows: tuple[int, ...]
    part: int = 0
    typed_number: int = 0
    original_number: int = 0


@dataclass(frozen=True, kw_only=True)
class TotalsReport:
    """The result of the check of totals, with the cards that may be wrong.

    The check cannot detect that two cards were exchanged. `missing_tables` are messages about
    tables without scores.
    """

    expected_sum: Fraction | None
    actual_sum: Fraction
    difference: Fraction | None
    rest_points: Fraction
    table_count: int
    wrong_sum_cards: tuple[CardToCheck, ...]
    transposed_digit_cards: tuple[CardToCheck, ...]
    missing_tables: tuple[str, ...]

    @property
    def is_correct(self) -> bool:
        """Whether both sums are equal, or the expected sum is unknown."""
        return not self.difference


def build_totals_report(snapshot: DriveSnapshot, format_name: NameFormatter) -> TotalsReport:
    """Check the sum of all totals, and list the cards that may explain a difference."""
    totals_check = snapshot.scores.check_totals(snapshot.table_count)
    difference = totals_check.difference
    suspect_cards = (
        find_suspect_score_cards(snapshot, int(difference))
        if difference and difference.denominator == 1
        else None
    )
    return TotalsReport(
        expected_sum=totals_check.expected_sum,
        actual_sum=totals_check.actual_sum,
        difference=difference,
        rest_points=sum(
            (tally.rest_points for tally in snapshot.scores.tallies.values()), Fraction(0)
        ),
        table_count=snapshot.table_count,
        wrong_sum_cards=_list_cards_to_check(
            snapshot, suspect_cards.wrong_sums if suspect_cards else (), format_name, 0
        ),
        transposed_digit_cards=_list_cards_to_check(
            snapshot,
            suspect_cards.players_with_exchanged_digits if suspect_cards else (),
            format_name,
            int(difference or 0),
        ),
        missing_tables=tuple(describe_missing_scores(snapshot)),
    )


def _list_cards_to_check(
    snapshot: DriveSnapshot,
    card_numbers: Sequence[object],
    format_name: NameFormatter,
    difference: int,
) -> tuple[CardToCheck, ...]:
    cards_by_number: dict[object, list[CardTotal]] = {}
    for card in snapshot.card_totals:
        cards_by_number.setdefault(card.player.number, []).append(card)
    return tuple(
        CardToCheck(
            build_person(snapshot, cards[0].player.number, format_name),
            sum(card.total or 0 for card in cards),
            tuple(row for card in cards for row in card.rows),
            *_find_transposed_digits(cards, difference),
        )
        for cards in (cards_by_number[card_number] for card_number in card_numbers)
    )


def _find_transposed_digits(
    cards: Sequence[CardTotal], difference: int
) -> tuple[int, int, int]:
    """Return the values of `part`, `typed_number` and `original_number` in `CardToCheck`."""
    for card in cards:
        original_total = (
            None if card.total is None else find_original_number(card.total, difference)
        )
        if card.total is not None and original_total is not None:
            return card.part, card.total, original_total
    return 0, 0, 0


def find_differing_totals(
    snapshot: DriveSnapshot, typed_totals_by_player: dict[int, int], part_number: int = 1
) -> tuple[int, ...]:
    """Return the players whose stored totals differ from those typed a second time."""
    stored_totals_by_player = {
        card.player.number: card.total
        for card in snapshot.card_totals
        if card.part == part_number and card.total is not None
    }
    differences = find_typing_differences(
        dict(stored_totals_by_player.items()), dict(typed_totals_by_player.items())
    )
    return tuple(
        sorted(player_number for player_number in differences if isinstance(player_number, int))
    )


@dataclass(frozen=True, slots=True)
class AwardLine:
    """A prize and its winner; there is no winner before a cut or a lot."""

    prize: int
    prize_text: str
    person: Person | None
    reason: str
    needs_cut: bool = False  # whether tied players still have to cut for this prize


def list_awards(snapshot: DriveSnapshot, format_name: NameFormatter) -> tuple[AwardLine, ...]:
    """Return the stored awards or, before the close, the awards by the present scores.

    Before the close, no lot is drawn. The caller must check that the visitor may see the
    standings. Reasons are in the visitor's language.
    """

    def fill_in(reason: str) -> str:
        return fill_in_names(
            reason, lambda number: build_person(snapshot, number, format_name).name
        )

    prizes = list(Prize.objects.filter(drive=snapshot.drive))
    titles_by_prize_number = {prize.number: prize.words for prize in prizes}
    if not snapshot.drive.is_closed:
        return tuple(
            AwardLine(
                award.prize_number,
                titles_by_prize_number[award.prize_number],
                build_person(snapshot, award.player_number, format_name)
                if isinstance(award.player_number, int)
                else None,
                fill_in(award.reason),
                award.needs_cut,
            )
            for award in compute_awards(snapshot, prizes, is_secret_revealed=False)
        )
    stored_awards = list(
        Award.objects.filter(prize__drive=snapshot.drive).select_related("prize", "player")
    )
    reasons = _translate_reasons(snapshot, prizes, stored_awards)
    return tuple(
        AwardLine(
            stored_award.prize.number,
            stored_award.prize.words,
            build_person(snapshot, stored_award.player.number, format_name)
            if stored_award.player
            else None,
            fill_in(reason),
        )
        for stored_award, reason in zip(stored_awards, reasons, strict=True)
    )


def _translate_reasons(
    snapshot: DriveSnapshot, prizes: list[Prize], stored_awards: Sequence[Award]
) -> list[str]:
    """Return the reasons of stored awards in the visitor's language.

    They were stored in the language of the user who closed the drive. So the awards are
    computed again from the final scores. If a computed reason has other numbers than the stored
    one, the stored reason is returned.
    """
    awards = compute_awards(snapshot, prizes, is_secret_revealed=True) if stored_awards else []
    stored_winners = [
        (stored_award.prize.number, stored_award.player and stored_award.player.number)
        for stored_award in stored_awards
    ]
    if stored_winners != [(award.prize_number, award.player_number) for award in awards]:
        return [stored_award.why for stored_award in stored_awards]
    return [
        award.reason
        if NUMBER_PATTERN.findall(award.reason) == NUMBER_PATTERN.findall(stored_award.why)
        else stored_award.why
        for award, stored_award in zip(awards, stored_awards, strict=True)
    ]
