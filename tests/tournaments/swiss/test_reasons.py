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

MET, SAT_OUT, APART, STAYS, OUT, SCORES, WISHES, SIDES = range(8)
Key = tuple[int, ...]


@dataclass(frozen=True)
class Recount:
    """A draw and the field from which it was made."""

    field: DrawField
    made: RoundDraw

    @cached_property
    def draws(self) -> list[tuple[Key, list[EntryId]]]:
        """Return the key of every draw, the smallest being best, and its sit-outs."""
        return [
            (self.key(*priced_draw), priced_draw[2])
            for priced_draw in list_priced_draws(self.field)
        ]

    def key(self, costs: Key, pairs: list[tuple[EntryId, EntryId]], out: list[EntryId]) -> Key:
        """Return repeats, repeated sit-outs, further rounds (negative), and other costs."""
        remaining_rounds_left = 0
        if not (costs[MET] or costs[SAT_OUT]) and self.field.method is not DrawMethod.DANISH:
            remaining_rounds_left = count_rounds_left(self.field, pairs, out)
        return (*costs[:2], -remaining_rounds_left, *costs[2:])

    @cached_property
    def own(self) -> Key:
        """Return the key of the draw itself."""
        pairs = [(pairing.ns, pairing.ew) for pairing in self.made.pairings]
        return self.key(self.made.costs[:8], pairs, list(self.made.sit_out_ids))

    def called(self, words: str) -> EntryId:
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
            for pairing in self.made.pairings
            if id_ in (pairing.ns, pairing.ew)
        ]
        return actual

    def both_stay(self, one: EntryId, other: EntryId) -> bool:
        return self.seat(one) is self.seat(other) is SeatPreference.STAYS

    def apart(self, one: EntryId, other: EntryId) -> bool:
        return frozenset((one, other)) in self.field.separated_pairings

    def met(self, one: EntryId, other: EntryId) -> list[int]:
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

    def times_out(self, id_: EntryId) -> int:
        """Return how often an entry sat out."""
        return sum(id_ in drawn_round.sit_out_ids for drawn_round in self.field.earlier_rounds)

    def exchanged_level(self, one: EntryId, other: EntryId) -> int:
        """Return the first level on which exchanging the opponents of two entries is worse.

        The two play each other and their opponents meet. -1 if the exchange is better, 8 if
        equal.
        """
        mine, theirs = self.rival(one), self.rival(other)
        couples = [(one, mine), (other, theirs)], [(one, other), (mine, theirs)]
        here, there = (
            tuple(
                map(
                    sum,
                    zip(
                        *(compute_best_sides(self.field, *item) for item in both_couple),
                        strict=True,
                    ),
                )
            )
            for both_couple in couples
        )
        if there < here:
            return -1  # the exchange is better for this round
        return next((number for number in range(8) if here[number] != there[number]), 8)

    def exchanged_later(self, one: EntryId, other: EntryId) -> bool:
        """Return whether fewer rounds could follow after the exchange."""
        mine, theirs = self.rival(one), self.rival(other)
        kept = [
            (pairing.ns, pairing.ew)
            for pairing in self.made.pairings
            if not {pairing.ns, pairing.ew} & {one, other, mine, theirs}
        ]
        pairs = [*kept, (one, other), (mine, theirs)]
        return count_rounds_left(self.field, pairs, self.made.sit_out_ids) < -self.own[2]

    def with_out(self, id_: EntryId) -> Key:
        """Return the best draw in which an entry sits out."""
        return min(key for key, out in self.draws if out == [id_])


PLACE = r"([Pp]lace \d+|\d+)"
SCORED = PLACE + r"(?: \([−\d.]+\))?"
Check = Callable[..., bool]


def build_pairing_checks(recount: Recount, ns: EntryId, ew: EntryId) -> dict[str, Check]:
    """Return a check for each sentence about a pairing, by its pattern.

    A check receives the entries named in the sentence.
    """
    high = max((ns, ew), key=recount.score)
    low = ew if high == ns else ns
    lot = recount.field.round_number == 1 or recount.field.method is DrawMethod.RANDOM

    def exchanged(level: int) -> Check:
        return lambda b, c: (
            recount.rival(b) == c and recount.exchanged_level(near(b), b) == level
        )

    def near(other: EntryId) -> EntryId:
        ids = (ns, ew) if recount.score(ns) == recount.score(ew) else (high,)
        return next(one for one in ids if nearer(one, other))

    def nearer(one: EntryId, other: EntryId) -> bool:
        opponent = ew if one == ns else ns
        return abs(recount.score(one) - recount.score(other)) < abs(
            recount.score(one) - recount.score(opponent)
        )

    def fact(claim: Callable[[EntryId, EntryId], bool]) -> Check:
        return lambda a, b: a in (ns, ew) and nearer(a, b) and claim(a, b)

    def left_over(level: int, claim: Callable[[EntryId, EntryId], bool]) -> Check:
        return lambda b, c, again, d: (
            (c, d) == (again, recount.rival(near(b))) and exchanged(level)(b, c) and claim(c, d)
        )

    plays = rf"{PLACE} plays {PLACE}"
    return {
        rf"{SCORED} plays {SCORED} \(random draw\)": lambda a, b: {a, b} == {ns, ew} and lot,
        rf"{SCORED} plays {SCORED}": lambda a, b: (
            {a, b} == {ns, ew} and recount.score(a) >= recount.score(b)
        ),
        r"They met in round (?!.*which).*": lambda: bool(recount.met(ns, ew)),
        r"Every possible draw has at least this many repeat matches": lambda: (
            bool(recount.met(ns, ew))
            and recount.own[0] == min(key[0] for key, _out in recount.draws)
        ),
        r"They met in round .*, which doesn’t count here": lambda: (
            bool(recount.met(ns, ew)) and recount.field.method is DrawMethod.DANISH
        ),
        r"They should be kept apart, but other draws have more repeats or sit-outs": lambda: (
            recount.apart(ns, ew)
            and all(
                key[:3] > recount.own[:3]
                for key, _out in recount.draws
                if key[3] < recount.own[3]
            )
        ),
        rf"{PLACE} and {PLACE} met in round .*": fact(lambda a, b: bool(recount.met(a, b))),
        rf"{PLACE} and {PLACE} are kept apart": fact(recount.apart),
        rf"{PLACE} and {PLACE} are both stationary": fact(recount.both_stay),
        rf"{PLACE} sits out": lambda a: a in recount.made.sit_out_ids,
        rf"{plays}: {PLACE} and {PLACE} have met": left_over(
            MET, lambda a, b: bool(recount.met(a, b))
        ),
        rf"{plays}: {PLACE} and {PLACE} are kept apart": left_over(APART, recount.apart),
        rf"{plays}: {PLACE} and {PLACE} are stationary": left_over(STAYS, recount.both_stay),
        rf"{plays}: the two matches are closer together": exchanged(SCORES),
        rf"{plays}, so that more sit North-South as they prefer": exchanged(WISHES),
        rf"{plays}, so that sides are more even": exchanged(SIDES),
        rf"{plays} \(random draw between equals\)": exchanged(8),
        rf"{plays}, so that later rounds need no repeat": lambda b, c: (
            exchanged(-1)(b, c) and recount.exchanged_later(near(b), b)
        ),
        rf"{PLACE} is stationary North-South": lambda a: (
            a == ns and recount.seat(a) is SeatPreference.STAYS
        ),
        rf"{PLACE} North-South, as preferred": lambda a: (
            a == ns and recount.seat(a) is SeatPreference.NORTH_SOUTH
        ),
        r"Sides drawn at random": lambda: (
            recount.sides(ns) == recount.sides(ew) and low != high
        ),
        rf"{PLACE} East-West, after more rounds North-South": lambda a: (
            a == ew and recount.sides(a) > 0
        ),
        rf"{PLACE} North-South, after more rounds East-West": lambda a: (
            a == ns and recount.sides(a) < 0
        ),
        rf"{PLACE} at home": lambda a: a == ns and recount.seat(a) is SeatPreference.STAYS,
        rf"{PLACE} away, after more home than away matches": lambda a: (
            a == ew and recount.sides(a) > 0
        ),
        rf"{PLACE} at home, after more away than home matches": lambda a: (
            a == ns and recount.sides(a) < 0
        ),
    }


def build_sit_out_checks(recount: Recount) -> dict[str, Check]:
    """Return a check for each sentence about the sit-out, by its pattern."""
    (own,) = recount.made.sit_out_ids
    times = recount.times_out(own)
    ids = [entry.id for entry in recount.field.entries if not entry.left]
    lower = [one for one in ids if recount.score(one) < recount.score(own)]
    fewer = [one for one in ids if recount.times_out(one) < times]
    lot = recount.field.round_number == 1 or recount.field.method is DrawMethod.RANDOM

    def instead(level: int) -> Check:
        return lambda a: (
            recount.with_out(a)[:level] == recount.own[:level]
            and recount.with_out(a)[level] > recount.own[level]
        )

    again = rf"{SCORED} sits out again after (\d+) times?"
    return {
        rf"{SCORED} sits out \(random draw\)": lambda a: a == own and lot,
        rf"{SCORED} sits out": lambda a: a == own and bool(lower),
        rf"{SCORED} sits out: lowest of those who haven’t yet": lambda a: (
            a == own and times == 0 and all(recount.times_out(one) for one in lower)
        ),
        rf"{SCORED} sits out: no one is lower, and no one has sat out yet": lambda a: (
            a == own and not lower and not any(recount.times_out(one) for one in ids)
        ),
        rf"{again}, to avoid more repeat matches": lambda a, count: (
            (a, count) == (own, times)
            and bool(fewer)
            and all(recount.with_out(one)[0] > recount.own[0] for one in fewer)
        ),
        rf"{again}: no one has sat out less often": lambda a, count: (
            (a, count) == (own, times) and not fewer
        ),
        rf"If {PLACE} sat out, there would be more repeat matches": instead(0),
        rf"If {PLACE} sat out, a later round would have more repeat matches": instead(2),
        rf"If {PLACE} sat out, more who must be kept apart would meet": instead(3),
        rf"If {PLACE} sat out, more stationary pairs would meet": instead(4),
    }


def list_unproved(
    recount: Recount, text: str, claims: dict[str, Check], seen: Counter[str]
) -> list[str]:
    """Return the sentences of a text that match no pattern, or that are false."""
    wrong = []
    for sentence in re.split(r"\.(?: |$)", text)[:-1]:
        actual = [(key, m) for key in claims if (m := re.fullmatch(key, sentence))]
        if not actual:
            wrong.append(f"unknown: {sentence}")
            continue
        ((pattern, match),) = actual
        seen[pattern] += 1
        counted = "again after" in pattern
        named = [recount.called(group) for group in match.groups()[: 1 if counted else None]]
        given = [*named, int(match.group(2))] if counted else named
        if not claims[pattern](*given):
            wrong.append(sentence)
    return wrong


def draw_field(lots: random.Random) -> DrawField:
    """Return a random small field mid-tournament: repeats, seats, wishes, couples apart."""
    size = lots.choice((4, 5, 5, 6, 6, 7, 7, 8))
    ids = list(range(1, size + 1))
    history: list[DrawnRound] = []
    seen: set[frozenset[int]] = set()
    for number in range(1, lots.randint(1, size)):
        for _try in range(lots.choice((1, 12))):
            lots.shuffle(ids)
            couples = [ids[number : number + 2] for number in range(0, size - 1, 2)]
            if not {frozenset(couple) for couple in couples} & seen:
                break
        seen |= {frozenset(couple) for couple in couples}
        out = tuple(ids[size - size % 2 :])
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
        last_protected_round=lots.choice((0, size - 1 + size % 2)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_all_reasons_are_true_and_draw_is_optimal(block: int) -> None:
    """Two thousand fields in twenty blocks, each compared with all its draws."""
    lots, seen, wrong = random.Random(block), Counter[str](), []
    for number in range(100):
        field = draw_field(lots)
        recount = Recount(field, draw_round(field))
        if recount.own != min(key for key, _out in recount.draws):
            wrong.append(f"{number}: a better draw exists")
        for pairing in recount.made.pairings:
            claims = build_pairing_checks(recount, pairing.ns, pairing.ew)
            wrong += [
                f"{number}: {text}"
                for text in list_unproved(recount, pairing.reason, claims, seen)
            ]
        if recount.made.sit_out_ids:
            claims = build_sit_out_checks(recount)
            unproved_sentences = list_unproved(
                recount, recount.made.sit_out_reason, claims, seen
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
def test_round_robin_completes_without_repeats(size: int, rounds: int) -> None:
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
            met_couples = tuple(
                EarlierPairing(one_pairing.ns, one_pairing.ew, one_pairing.table_number)
                for one_pairing in draw.pairings
            )
            field = replace(
                field,
                entries=tuple(replace(e, score=e.score + gains[e.id]) for e in field.entries),
                earlier_rounds=(
                    *field.earlier_rounds,
                    DrawnRound(number, met_couples, draw.sit_out_ids),
                ),
            )


def test_plan_round_limit_makes_repeat_search_unnecessary_in_large_fields() -> None:
    """With 20 rounds at most, each of 41 or more entries always has a new opponent."""
    assert MAX_PLAN_ROUNDS <= (MAX_NODES + 1) // 2
