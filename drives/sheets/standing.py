"""Pages' data about standings, the plan's statistics, the check of totals, and prizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from drives.draw.plan_statistics import PlanStatistics, compute_statistics
from drives.drive_results import (
    compute_awards,
    describe_missing_scores,
    find_suspect_cards,
)
from drives.models import Award, CardTotal, Prize
from drives.scores.totals_check import find_original_number, find_typing_differences
from drives.sheets.people import Person, build_person
from drives.snapshot import DriveSnapshot
from drives.visibility import NameFormatter, is_standing_open


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A player's rank: equals share the best of their ranks."""

    rank: int
    tied: bool
    person: Person
    points: Fraction
    rests: int
    rest_points: Fraction
    rounds_won: Fraction


@dataclass(frozen=True, slots=True)
class Standing:
    """The standings; they are empty where players may not see them yet."""

    is_open: bool
    lines: tuple[StandingLine, ...]
    is_over: bool


def build_standing(
    snapshot: DriveSnapshot, names: NameFormatter, *, for_staff: bool = False
) -> Standing:
    """Return the ranking; users who do not run the drive see it when the house allows."""
    is_open = for_staff or is_standing_open(snapshot)
    if not is_open:
        return Standing(is_open=False, lines=(), is_over=False)
    lines = []
    for ranked in snapshot.scores.ranking:
        tally = snapshot.scores.tallies[ranked.number]
        lines.append(
            StandingLine(
                ranked.rank,
                ranked.tied,
                build_person(snapshot, ranked.number, names),
                ranked.points,
                ranked.rests,
                tally.rest_points,
                tally.rounds_won,
            )
        )
    return Standing(is_open=True, lines=tuple(lines), is_over=snapshot.drive.is_closed)


def compute_plan_statistics(snapshot: DriveSnapshot) -> PlanStatistics:
    """Return the numbers of repeated meetings in all rounds drawn so far, with their bounds."""
    rounds = [round_.as_drawn for round_ in snapshot.rounds.values()]
    return compute_statistics(rounds, [player.number for player in snapshot.ranked_players])


@dataclass(frozen=True, slots=True)
class CardToCheck:
    """A card that may be wrong, and its total.

    `typed` is the number, of `part`, that may have two digits exchanged, and `right` the number
    before that; all are 0 where no exchange explains the difference.
    """

    person: Person
    total: int
    rows: tuple[int, ...]
    part: int = 0
    typed: int = 0
    right: int = 0


@dataclass(frozen=True, kw_only=True)
class TotalsReport:
    """Whether all totals add up, and the cards to check where they do not.

    A sum cannot detect two exchanged cards, so the report never excludes them. `missing` are
    tables of rounds without scores, as texts.
    """

    expected: Fraction | None
    got: Fraction
    off: Fraction | None
    rest_points: Fraction
    tables: int
    added_wrong: tuple[CardToCheck, ...]
    exchanged: tuple[CardToCheck, ...]
    missing: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether the sums agree, or the expected sum is unknown."""
        return not self.off


def build_totals_report(snapshot: DriveSnapshot, names: NameFormatter) -> TotalsReport:
    """Check the sum of all totals, and list the cards that may explain a difference."""
    check = snapshot.scores.check_totals(snapshot.table_count)
    difference = check.difference
    suspects = (
        find_suspect_cards(snapshot, int(difference))
        if difference and difference.denominator == 1
        else None
    )
    return TotalsReport(
        expected=check.expected_sum,
        got=check.actual_sum,
        off=difference,
        rest_points=sum((t.rest_points for t in snapshot.scores.tallies.values()), Fraction(0)),
        tables=snapshot.table_count,
        added_wrong=_build_cards(snapshot, suspects.wrong_sums if suspects else (), names, 0),
        exchanged=_build_cards(
            snapshot, suspects.exchanged_digits if suspects else (), names, int(difference or 0)
        ),
        missing=tuple(describe_missing_scores(snapshot)),
    )


def _build_cards(
    snapshot: DriveSnapshot, numbers: Sequence[object], names: NameFormatter, difference: int
) -> tuple[CardToCheck, ...]:
    by_number: dict[object, list[CardTotal]] = {}
    for card in snapshot.totals:
        by_number.setdefault(card.player.number, []).append(card)
    return tuple(
        CardToCheck(
            build_person(snapshot, cards[0].player.number, names),
            sum(card.total or 0 for card in cards),
            tuple(row for card in cards for row in card.rows),
            *_find_transposed_digits(cards, difference),
        )
        for cards in (by_number[number] for number in numbers)
    )


def _find_transposed_digits(
    cards: Sequence[CardTotal], difference: int
) -> tuple[int, int, int]:
    """Return the number of a card that an exchange of digits may explain, and the right one."""
    for card in cards:
        right = None if card.total is None else find_original_number(card.total, difference)
        if card.total is not None and right is not None:
            return card.part, card.total, right
    return 0, 0, 0


def find_differing_totals(
    snapshot: DriveSnapshot, typed: dict[int, int], part: int = 1
) -> tuple[int, ...]:
    """Return the players whose stored totals differ from a second typing."""
    first = {
        card.player.number: card.total
        for card in snapshot.totals
        if card.part == part and card.total is not None
    }
    differences = find_typing_differences(dict(first.items()), dict(typed.items()))
    return tuple(sorted(number for number in differences if isinstance(number, int)))


@dataclass(frozen=True, slots=True)
class AwardLine:
    """A prize and its winner; no winner where equals have still to cut or be drawn."""

    prize: int
    words: str
    person: Person | None
    reason: str
    is_cut: bool = False  # whether equals have still to cut for it


def list_awards(snapshot: DriveSnapshot, names: NameFormatter) -> tuple[AwardLine, ...]:
    """Return the awards of the close; before it the awards by the present scores, with reasons.

    Before the close no lot is drawn. The caller checks first that the standings may be shown.
    """
    prizes = list(Prize.objects.filter(drive=snapshot.drive))
    words = {prize.number: prize.words for prize in prizes}
    if not snapshot.drive.is_closed:
        return tuple(
            AwardLine(
                award.prize,
                words[award.prize],
                build_person(snapshot, award.number, names)
                if isinstance(award.number, int)
                else None,
                award.reason,
                award.is_cut,
            )
            for award in compute_awards(snapshot, prizes, is_revealed=False)
        )
    rows = Award.objects.filter(prize__drive=snapshot.drive).select_related("prize", "player")
    return tuple(
        AwardLine(
            row.prize.number,
            row.prize.words,
            build_person(snapshot, row.player.number, names) if row.player else None,
            row.why,
        )
        for row in rows
    )
