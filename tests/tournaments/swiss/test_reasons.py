"""Check each sentence of a draw's reasons against all possible draws."""

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import pytest

from tests.tournaments.swiss.brute_force import (
    compute_best_sides,
    count_rounds_left,
    list_priced_draws,
)
from tournaments.swiss import (
    DrawField,
    DrawMethod,
    DrawnRound,
    Entry,
    RoundDraw,
    SeatPreference,
    draw_round,
)
from tournaments.swiss.field import EarlierPairing, EntryId
from tournaments.swiss.later_rounds import MAX_NODES
from tournaments.swiss.plan import MAX_PLAN_ROUNDS

(
    REPEAT_LEVEL,
    REPEATED_SIT_OUT_LEVEL,
    SEPARATED_LEVEL,
    STATIONARY_LEVEL,
    SIT_OUT_LEVEL,
    SCORE_LEVEL,
    SEAT_PREFERENCE_LEVEL,
    SIDE_LEVEL,
) = range(8)
DrawKey = tuple[int, ...]


@dataclass(frozen=True)
class CheckedDraw:
    """A draw and the field from which it was made."""

    field: DrawField
    draw: RoundDraw

    @cached_property
    def draws(self) -> list[tuple[DrawKey, list[EntryId]]]:
        """Return the key of every draw, the smallest being best, and its sit-outs."""
        return [
            (self.compute_key(*priced_draw), priced_draw[2])
            for priced_draw in list_priced_draws(self.field)
        ]

    def compute_key(
        self, costs: DrawKey, pairs: list[tuple[EntryId, EntryId]], out: list[EntryId]
    ) -> DrawKey:
        """Return repeats, repeated sit-outs, further rounds (negative), and other costs."""
        remaining_rounds_left = 0
        if (
            not (costs[REPEAT_LEVEL] or costs[REPEATED_SIT_OUT_LEVEL])
            and self.field.method is not DrawMethod.DANISH
        ):
            remaining_rounds_left = count_rounds_left(self.field, pairs, out)
        return (*costs[:2], -remaining_rounds_left, *costs[2:])

    @cached_property
    def own_key(self) -> DrawKey:
        """Return the key of the draw itself."""
        pairs = [(pairing.ns, pairing.ew) for pairing in self.draw.pairings]
        return self.compute_key(self.draw.costs[:8], pairs, list(self.draw.sit_out_ids))

    def find_named_entry(self, words: str) -> EntryId:
        """Return the entry that words name: by rank, or by number if ranks are shared."""
        ids = [entry.id for entry in self.field.entries if not entry.left]
        scores = {entry.id: entry.score for entry in self.field.entries}
        ranks = {one: 1 + sum(scores[item] > scores[one] for item in ids) for one in ids}
        words = re.sub(r" \(.*\)", "", words)
        if not words.lower().startswith("place "):
            return int(words)
        (actual,) = [one for one in ids if ranks[one] == int(words[6:])]
        return actual

    def score(self, id_: EntryId) -> Fraction:
        """Return the score of an entry."""
        return next(entry.score for entry in self.field.entries if entry.id == id_)

    def seat(self, id_: EntryId) -> SeatPreference:
        """Return the seat that an entry has or prefers."""
        return next(entry.seat for entry in self.field.entries if entry.id == id_)

    def rival(self, id_: EntryId) -> EntryId:
        """Return the opponent of an entry in the draw."""
        (actual,) = [
            {pairing.ns: pairing.ew, pairing.ew: pairing.ns}[id_]
            for pairing in self.draw.pairings
            if id_ in (pairing.ns, pairing.ew)
        ]
        return actual

    def are_both_stationary(self, one: EntryId, other: EntryId) -> bool:
        return self.seat(one) is self.seat(other) is SeatPreference.STAYS

    def are_separated(self, one: EntryId, other: EntryId) -> bool:
        return frozenset((one, other)) in self.field.separated_pairings

    def list_meeting_rounds(self, one: EntryId, other: EntryId) -> list[int]:
        """Return the rounds in which two met."""
        return [
            drawn_round.number
            for drawn_round in self.field.earlier_rounds
            for pairing in drawn_round.pairings
            if {pairing.ns, pairing.ew} == {one, other}
        ]

    def sides(self, id_: EntryId) -> int:
        """Return how much more often an entry sat North-South."""
        pairings = [
            pairing
            for drawn_round in self.field.earlier_rounds
            for pairing in drawn_round.pairings
        ]
        return sum(pairing.ns == id_ for pairing in pairings) - sum(
            pairing.ew == id_ for pairing in pairings
        )

    def count_sit_outs(self, id_: EntryId) -> int:
        """Return how often an entry sat out."""
        return sum(id_ in drawn_round.sit_out_ids for drawn_round in self.field.earlier_rounds)

    def find_exchange_level(self, one: EntryId, other: EntryId) -> int:
        """Return the first level on which exchanging the opponents of two entries is worse.

        The two play each other and their opponents meet. -1 if the exchange is better, 8 if
        equal.
        """
        one_opponent, other_opponent = self.rival(one), self.rival(other)
        couples = (
            [(one, one_opponent), (other, other_opponent)],
            [(one, other), (one_opponent, other_opponent)],
        )
        actual_costs, exchanged_costs = (
            tuple(
                map(
                    sum,
                    zip(
                        *(compute_best_sides(self.field, *item) for item in two_couples),
                        strict=True,
                    ),
                )
            )
            for two_couples in couples
        )
        if exchanged_costs < actual_costs:
            return -1  # the exchange is better for this round
        return next(
            (level for level in range(8) if actual_costs[level] != exchanged_costs[level]), 8
        )

    def has_fewer_later_rounds(self, one: EntryId, other: EntryId) -> bool:
        """Return whether fewer rounds could follow after the exchange."""
        mine, theirs = self.rival(one), self.rival(other)
        unchanged_pairs = [
            (pairing.ns, pairing.ew)
            for pairing in self.draw.pairings
            if not {pairing.ns, pairing.ew} & {one, other, mine, theirs}
        ]
        pairs = [*unchanged_pairs, (one, other), (mine, theirs)]
        return count_rounds_left(self.field, pairs, self.draw.sit_out_ids) < -self.own_key[2]

    def find_sit_out_key(self, id_: EntryId) -> DrawKey:
        """Return the best draw in which an entry sits out."""
        return min(key for key, out in self.draws if out == [id_])


PLACE_PATTERN = r"([Pp]lace \d+|\d+)"
SCORED_PLACE_PATTERN = PLACE_PATTERN + r"(?: \([−\d.]+\))?"
Check = Callable[..., bool]


def build_pairing_checks(
    checked_draw: CheckedDraw, ns: EntryId, ew: EntryId
) -> dict[str, Check]:
    """Return a check for each sentence about a pairing, by its pattern.

    A check receives the entries named in the sentence.
    """
    higher_entry = max((ns, ew), key=checked_draw.score)
    lower_entry = ew if higher_entry == ns else ns
    is_drawn_by_lot = (
        checked_draw.field.round_number == 1 or checked_draw.field.method is DrawMethod.RANDOM
    )

    def check_exchange(level: int) -> Check:
        return lambda b, c: (
            checked_draw.rival(b) == c
            and checked_draw.find_exchange_level(find_closer_entry(b), b) == level
        )

    def find_closer_entry(other: EntryId) -> EntryId:
        ids = (ns, ew) if checked_draw.score(ns) == checked_draw.score(ew) else (higher_entry,)
        return next(one for one in ids if is_closer_than_opponent(one, other))

    def is_closer_than_opponent(one: EntryId, other: EntryId) -> bool:
        opponent = ew if one == ns else ns
        return abs(checked_draw.score(one) - checked_draw.score(other)) < abs(
            checked_draw.score(one) - checked_draw.score(opponent)
        )

    def check_claim(claim: Callable[[EntryId, EntryId], bool]) -> Check:
        return lambda a, b: a in (ns, ew) and is_closer_than_opponent(a, b) and claim(a, b)

    def check_exchange_claim(level: int, claim: Callable[[EntryId, EntryId], bool]) -> Check:
        return lambda b, c, again, d: (
            (c, d) == (again, checked_draw.rival(find_closer_entry(b)))
            and check_exchange(level)(b, c)
            and claim(c, d)
        )

    plays = rf"{PLACE_PATTERN} plays {PLACE_PATTERN}"
    return {
        rf"{SCORED_PLACE_PATTERN} plays {SCORED_PLACE_PATTERN} \(random draw\)": lambda a, b: (
            {a, b} == {ns, ew} and is_drawn_by_lot
        ),
        rf"{SCORED_PLACE_PATTERN} plays {SCORED_PLACE_PATTERN}": lambda a, b: (
            {a, b} == {ns, ew} and checked_draw.score(a) >= checked_draw.score(b)
        ),
        r"They met in round (?!.*which).*": lambda: bool(
            checked_draw.list_meeting_rounds(ns, ew)
        ),
        r"Every possible draw has at least this many repeat matches": lambda: (
            bool(checked_draw.list_meeting_rounds(ns, ew))
            and checked_draw.own_key[0] == min(key[0] for key, _out in checked_draw.draws)
        ),
        r"They met in round .*, which doesn’t count here": lambda: (
            bool(checked_draw.list_meeting_rounds(ns, ew))
            and checked_draw.field.method is DrawMethod.DANISH
        ),
        r"They should be kept apart, but other draws have more repeats or sit-outs": lambda: (
            checked_draw.are_separated(ns, ew)
            and all(
                key[:3] > checked_draw.own_key[:3]
                for key, _out in checked_draw.draws
                if key[3] < checked_draw.own_key[3]
            )
        ),
        rf"{PLACE_PATTERN} and {PLACE_PATTERN} met in round .*": check_claim(
            lambda a, b: bool(checked_draw.list_meeting_rounds(a, b))
        ),
        rf"{PLACE_PATTERN} and {PLACE_PATTERN} are kept apart": check_claim(
            checked_draw.are_separated
        ),
        rf"{PLACE_PATTERN} and {PLACE_PATTERN} are both stationary": check_claim(
            checked_draw.are_both_stationary
        ),
        rf"{PLACE_PATTERN} sits out": lambda a: a in checked_draw.draw.sit_out_ids,
        rf"{plays}: {PLACE_PATTERN} and {PLACE_PATTERN} have met": check_exchange_claim(
            REPEAT_LEVEL, lambda a, b: bool(checked_draw.list_meeting_rounds(a, b))
        ),
        rf"{plays}: {PLACE_PATTERN} and {PLACE_PATTERN} are kept apart": check_exchange_claim(
            SEPARATED_LEVEL, checked_draw.are_separated
        ),
        rf"{plays}: {PLACE_PATTERN} and {PLACE_PATTERN} are stationary": check_exchange_claim(
            STATIONARY_LEVEL, checked_draw.are_both_stationary
        ),
        rf"{plays}: the two matches are closer together": check_exchange(SCORE_LEVEL),
        rf"{plays}, so that more sit North-South as they prefer": check_exchange(
            SEAT_PREFERENCE_LEVEL
        ),
        rf"{plays}, so that sides are more even": check_exchange(SIDE_LEVEL),
        rf"{plays} \(random draw between equals\)": check_exchange(8),
        rf"{plays}, so that later rounds need no repeat": lambda b, c: (
            check_exchange(-1)(b, c)
            and checked_draw.has_fewer_later_rounds(find_closer_entry(b), b)
        ),
        rf"{PLACE_PATTERN} is stationary North-South": lambda a: (
            a == ns and checked_draw.seat(a) is SeatPreference.STAYS
        ),
        rf"{PLACE_PATTERN} North-South, as preferred": lambda a: (
            a == ns and checked_draw.seat(a) is SeatPreference.NORTH_SOUTH
        ),
        r"Sides drawn at random": lambda: (
            checked_draw.sides(ns) == checked_draw.sides(ew) and lower_entry != higher_entry
        ),
        rf"{PLACE_PATTERN} East-West, after more rounds North-South": lambda a: (
            a == ew and checked_draw.sides(a) > 0
        ),
        rf"{PLACE_PATTERN} North-South, after more rounds East-West": lambda a: (
            a == ns and checked_draw.sides(a) < 0
        ),
        rf"{PLACE_PATTERN} at home": lambda a: (
            a == ns and checked_draw.seat(a) is SeatPreference.STAYS
        ),
        rf"{PLACE_PATTERN} away, after more home than away matches": lambda a: (
            a == ew and checked_draw.sides(a) > 0
        ),
        rf"{PLACE_PATTERN} at home, after more away than home matches": lambda a: (
            a == ns and checked_draw.sides(a) < 0
        ),
    }


def build_sit_out_checks(recount: CheckedDraw) -> dict[str, Check]:
    """Return a check for each sentence about the sit-out, by its pattern."""
    (own,) = recount.draw.sit_out_ids
    times = recount.count_sit_outs(own)
    ids = [entry.id for entry in recount.field.entries if not entry.left]
    lower_entries = [one for one in ids if recount.score(one) < recount.score(own)]
    fewer_sit_out_entries = [one for one in ids if recount.count_sit_outs(one) < times]
    lot = recount.field.round_number == 1 or recount.field.method is DrawMethod.RANDOM

    def check_sit_out(level: int) -> Check:
        return lambda a: (
            recount.find_sit_out_key(a)[:level] == recount.own_key[:level]
            and recount.find_sit_out_key(a)[level] > recount.own_key[level]
        )

    sit_out_pattern = rf"{SCORED_PLACE_PATTERN} sits out"
    repeated_sit_out_pattern = rf"{sit_out_pattern} again after (\d+) times?"
    return {
        rf"{sit_out_pattern} \(random draw\)": lambda a: a == own and lot,
        sit_out_pattern: lambda a: a == own and bool(lower_entries),
        rf"{sit_out_pattern}: lowest of those who haven’t yet": lambda a: (
            a == own
            and times == 0
            and all(recount.count_sit_outs(one) for one in lower_entries)
        ),
        rf"{sit_out_pattern}: no one is lower, and no one has sat out yet": lambda a: (
            a == own
            and not lower_entries
            and not any(recount.count_sit_outs(one) for one in ids)
        ),
        rf"{repeated_sit_out_pattern}, to avoid more repeat matches": lambda a, count: (
            (a, count) == (own, times)
            and bool(fewer_sit_out_entries)
            and all(
                recount.find_sit_out_key(one)[0] > recount.own_key[0]
                for one in fewer_sit_out_entries
            )
        ),
        rf"{repeated_sit_out_pattern}: no one has sat out less often": lambda a, count: (
            (a, count) == (own, times) and not fewer_sit_out_entries
        ),
        rf"If {PLACE_PATTERN} sat out, there would be more repeat matches": check_sit_out(0),
        rf"If {PLACE_PATTERN} sat out, a later round would "
        r"have more repeat matches": check_sit_out(2),
        rf"If {PLACE_PATTERN} sat out, more who must be kept apart would meet": check_sit_out(
            3
        ),
        rf"If {PLACE_PATTERN} sat out, more stationary pairs would meet": check_sit_out(4),
    }


def list_unproved_sentences(
    recount: CheckedDraw,
    text: str,
    checks_by_pattern: dict[str, Check],
    pattern_counts: Counter[str],
) -> list[str]:
    """Return the sentences of a text that match no pattern, or that are false."""
    wrong_sentences = []
    for sentence in re.split(r"\.(?: |$)", text)[:-1]:
        actual = [(key, m) for key in checks_by_pattern if (m := re.fullmatch(key, sentence))]
        if not actual:
            wrong_sentences.append(f"unknown: {sentence}")
            continue
        ((pattern, match),) = actual
        pattern_counts[pattern] += 1
        has_count = "again after" in pattern
        named_entries = [
            recount.find_named_entry(group)
            for group in match.groups()[: 1 if has_count else None]
        ]
        check_arguments = [*named_entries, int(match.group(2))] if has_count else named_entries
        if not checks_by_pattern[pattern](*check_arguments):
            wrong_sentences.append(sentence)
    return wrong_sentences


def build_random_field(lots: random.Random) -> DrawField:
    """Return a random small field mid-tournament: repeats, seats, wishes, couples apart."""
    entry_count = lots.choice((4, 5, 5, 6, 6, 7, 7, 8))
    ids = list(range(1, entry_count + 1))
    history: list[DrawnRound] = []
    seen: set[frozenset[int]] = set()
    for number in range(1, lots.randint(1, entry_count)):
        for _attempt in range(lots.choice((1, 12))):
            lots.shuffle(ids)
            couples = [ids[number : number + 2] for number in range(0, entry_count - 1, 2)]
            if not {frozenset(couple) for couple in couples} & seen:
                break
        seen |= {frozenset(couple) for couple in couples}
        out = tuple(ids[entry_count - entry_count % 2 :])
        history.append(
            DrawnRound(number, tuple(EarlierPairing(*couple) for couple in couples), out)
        )
    seats = [SeatPreference.ANY] * lots.choice((2, 6)) + [
        SeatPreference.STAYS,
        SeatPreference.NORTH_SOUTH,
    ]
    step = lots.choice((25, 25, 300))
    entries = tuple(
        Entry(
            id_,
            Fraction(lots.randrange(-900, 900, step) if history else 0, 100),
            seat=lots.choice(seats),
        )
        for id_ in sorted(ids)
    )
    apart = frozenset(frozenset(lots.sample(ids, 2)) for _ in range(lots.randint(0, 3)))
    return DrawField(
        entries,
        round_number=len(history) + 1,
        seed=str(lots.random()),
        earlier_rounds=tuple(history),
        separated_pairings=apart,
        kind=lots.choice(("pairs", "pairs", "teams")),
        method=lots.choice(
            (DrawMethod.SWISS,) * 4 + (DrawMethod.MONRAD, DrawMethod.DANISH, DrawMethod.RANDOM)
        ),
        last_protected_round=lots.choice((0, entry_count - 1 + entry_count % 2)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_all_reasons_are_true_and_draw_is_optimal(block: int) -> None:
    """Two thousand fields in twenty blocks, each compared with all its draws."""
    lots, seen, wrong = random.Random(block), Counter[str](), []
    for number in range(100):
        field = build_random_field(lots)
        recount = CheckedDraw(field, draw_round(field))
        if recount.own_key != min(key for key, _out in recount.draws):
            wrong.append(f"{number}: a better draw exists")
        for pairing in recount.draw.pairings:
            claims = build_pairing_checks(recount, pairing.ns, pairing.ew)
            wrong += [
                f"{number}: {text}"
                for text in list_unproved_sentences(recount, pairing.reason, claims, seen)
            ]
        if recount.draw.sit_out_ids:
            claims = build_sit_out_checks(recount)
            unproved_sentences = list_unproved_sentences(
                recount, recount.draw.sit_out_reason, claims, seen
            )
            wrong += [f"{number}: {text}" for text in unproved_sentences]
    assert wrong == []
    assert len(seen) >= 22  # different sentences were used


def test_leader_does_not_sit_out_if_a_lower_entry_can() -> None:
    """1 has met 2 and 3, 4 and 5 have sat out: 3 sits out, and 1-4 and 2-5 are new."""
    scores = {1: 6, 2: 2, 3: -1, 4: -3, 5: -4}
    field = DrawField(
        tuple(Entry(id_, Fraction(score)) for id_, score in scores.items()),
        round_number=3,
        seed="x",
        earlier_rounds=(
            DrawnRound(1, (EarlierPairing(1, 2), EarlierPairing(3, 5)), (4,)),
            DrawnRound(2, (EarlierPairing(1, 3), EarlierPairing(2, 4)), (5,)),
        ),
    )
    draw = draw_round(field)
    assert draw.sit_out_ids == (3,)
    assert draw.sit_out_reason == ("Place 3 (−1.00) sits out: lowest of those who haven’t yet.")


@pytest.mark.parametrize(("size", "rounds"), [(5, 5), (6, 4), (6, 5), (7, 7), (8, 6), (8, 7)])
def test_round_robin_draw_never_repeats_a_meeting(size: int, rounds: int) -> None:
    for seed in range(60):
        lots = random.Random(seed)
        field = DrawField(
            tuple(Entry(number) for number in range(1, size + 1)),
            seed=str(seed),
            last_protected_round=rounds,
        )
        for number in range(1, rounds + 1):
            draw = draw_round(replace(field, round_number=number))
            assert draw.costs[:2] == (0, 0), (seed, number)
            gains: Counter[EntryId] = Counter()
            for pairing in draw.pairings:
                gains[pairing.ns] = lots.randint(-12, 12)
                gains[pairing.ew] = -gains[pairing.ns]
            earlier_pairings = tuple(
                EarlierPairing(one_pairing.ns, one_pairing.ew, one_pairing.table_number)
                for one_pairing in draw.pairings
            )
            field = replace(
                field,
                entries=tuple(replace(e, score=e.score + gains[e.id]) for e in field.entries),
                earlier_rounds=(
                    *field.earlier_rounds,
                    DrawnRound(number, earlier_pairings, draw.sit_out_ids),
                ),
            )


def test_plan_round_limit_guarantees_new_opponents_in_large_fields() -> None:
    """With 20 rounds at most, each of 41 or more entries always has a new opponent."""
    assert MAX_PLAN_ROUNDS <= (MAX_NODES + 1) // 2
