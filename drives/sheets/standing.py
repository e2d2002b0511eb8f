"""The standing, the plan's figures, the room's check and the prizes, as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from drives.draw.figures import PlanFigures, figures
from drives.held import HeldDrive
from drives.models import Award, CardTotal, Prize
from drives.reckoning import (
    awards,
    missing_scores,
    wrong_cards,
)
from drives.scores.room_check import instead, type_again
from drives.secrecy import Namer, standing_is_open
from drives.sheets.people import Person, person


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A player's place: equals share the best of their ranks."""

    rank: int
    tied: bool
    person: Person
    points: Fraction
    rests: int
    rest_points: Fraction
    rounds_won: Fraction


@dataclass(frozen=True, slots=True)
class Standing:
    """Who stands where; None of it where players may not see it yet."""

    is_open: bool
    lines: tuple[StandingLine, ...]
    is_over: bool


def standing(held: HeldDrive, names: Namer, *, for_staff: bool = False) -> Standing:
    """The ranking; whoever does not run the drive sees it when the house's term allows."""
    is_open = for_staff or standing_is_open(held)
    if not is_open:
        return Standing(is_open=False, lines=(), is_over=False)
    lines = []
    for each in held.scores.ranking:
        tally = held.scores.tallies[each.number]
        lines.append(
            StandingLine(
                each.rank,
                each.tied,
                person(held, each.number, names),
                each.points,
                each.rests,
                tally.rest_points,
                tally.rounds_won,
            )
        )
    return Standing(is_open=True, lines=tuple(lines), is_over=held.drive.is_closed)


def plan_figures(held: HeldDrive) -> PlanFigures:
    """How often the same two meet in all rounds drawn so far, each figure beside its bound."""
    rounds = [each.drawn for each in held.rounds.values()]
    return figures(rounds, [player.number for player in held.ranked])


@dataclass(frozen=True, slots=True)
class CardToCheck:
    """A card that may be wrong, and what was handed in.

    `typed` and `right` are the figure, of `part`, that may have two digits exchanged, and what
    it then was; 0, 0 and 0 where no such figure explains the difference.
    """

    person: Person
    total: int
    rows: tuple[int, ...]
    part: int = 0
    typed: int = 0
    right: int = 0


@dataclass(frozen=True, kw_only=True)
class RoomCheck:
    """Whether the room adds up, and the cards to look at where it does not.

    It never claims what a sum cannot know: two cards exchanged change none. `open_tables` are
    tables of rounds whose scores lack, in words.
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
        """Whether the sums agree, as far as one is certain."""
        return not self.off


def room_check(held: HeldDrive, names: Namer) -> RoomCheck:
    """Add up the room, and name the cards that may explain a difference."""
    check = held.scores.check(held.table_count)
    off = check.off
    found = wrong_cards(held, int(off)) if off and off.denominator == 1 else None
    return RoomCheck(
        expected=check.expected,
        got=check.got,
        off=off,
        rest_points=sum((t.rest_points for t in held.scores.tallies.values()), Fraction(0)),
        tables=held.table_count,
        added_wrong=_cards(held, found.added_wrong if found else (), names, 0),
        exchanged=_cards(held, found.exchanged if found else (), names, int(off or 0)),
        missing=tuple(missing_scores(held)),
    )


def _cards(
    held: HeldDrive, numbers: Sequence[object], names: Namer, off: int
) -> tuple[CardToCheck, ...]:
    by_number: dict[object, list[CardTotal]] = {}
    for card in held.totals:
        by_number.setdefault(card.player.number, []).append(card)
    return tuple(
        CardToCheck(
            person(held, cards[0].player.number, names),
            sum(card.total or 0 for card in cards),
            tuple(row for card in cards for row in card.rows),
            *_slip(cards, off),
        )
        for cards in (by_number[number] for number in numbers)
    )


def _slip(cards: Sequence[CardTotal], off: int) -> tuple[int, int, int]:
    """The figure of a card that two digits exchanged may have made, and what it was."""
    for card in cards:
        right = None if card.total is None else instead(card.total, off)
        if card.total is not None and right is not None:
            return card.part, card.total, right
    return 0, 0, 0


def differing(held: HeldDrive, typed: dict[int, int], part: int = 1) -> tuple[int, ...]:
    """Whose totals differ between what stands and a second typing."""
    first = {
        card.player.number: card.total
        for card in held.totals
        if card.part == part and card.total is not None
    }
    found = type_again(dict(first.items()), dict(typed.items()))
    return tuple(sorted(who for who in found if isinstance(who, int)))


@dataclass(frozen=True, slots=True)
class AwardLine:
    """A prize and who has it; nobody where equals have still to cut or be drawn."""

    prize: int
    words: str
    person: Person | None
    why: str
    is_cut: bool = False  # equals have still to cut for it


def prize_list(held: HeldDrive, names: Namer) -> tuple[AwardLine, ...]:
    """The prizes as they were given at the close, or would be given now, with the reasons.

    Before the close no lot is drawn. Whoever shows it asks first whether the standing is open.
    """
    prizes = list(Prize.objects.filter(drive=held.drive))
    words = {prize.number: prize.words for prize in prizes}
    if not held.drive.is_closed:
        return tuple(
            AwardLine(
                each.prize,
                words[each.prize],
                person(held, each.number, names) if isinstance(each.number, int) else None,
                each.why,
                each.is_cut,
            )
            for each in awards(held, prizes, revealed=False)
        )
    rows = Award.objects.filter(prize__drive=held.drive).select_related("prize", "player")
    return tuple(
        AwardLine(
            row.prize.number,
            row.prize.words,
            person(held, row.player.number, names) if row.player else None,
            row.why,
        )
        for row in rows
    )
