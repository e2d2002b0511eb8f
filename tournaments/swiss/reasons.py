"""Sentences that explain a draw: the opponents and their sides, and the sit-out."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.formatting import join_names
from tournaments.swiss.field import (
    DrawField,
    DrawMethod,
    DrawnRound,
    Entry,
    Id,
    OddRule,
    SeatPreference,
    id_sort_key,
)
from tournaments.swiss.later_rounds import count_rounds_to_protect
from tournaments.swiss.matching import Edge
from tournaments.swiss.objective import Level
from tournaments.swiss.round_choice import RoundChoice, find_first_difference

MAX_CANDIDATES_NAMED = 3  # sentences about other candidates


def capitalise(text: str) -> str:
    """Return a text with a capital first letter; the rest is unchanged."""
    return text[:1].upper() + text[1:]


def _format_rounds(rounds: Iterable[DrawnRound]) -> str:
    """Return rounds as text by their numbers, with the session if it is an earlier one."""
    message = _("%(round)s of session %(session)s")
    return join_names(
        [
            str(drawn_round.number)
            if drawn_round.session is None
            else message % {"round": drawn_round.number, "session": drawn_round.session}
            for drawn_round in rounds
        ]
    )


class DrawReasons:
    """The explanations of one draw; with `by_seeds` the round was paired by the seeds."""

    def __init__(
        self, field: DrawField, pairs: Iterable[tuple[Id, Id]], *, by_seeds: bool = False
    ) -> None:
        self.field = field
        self.by_seeds = by_seeds
        self.against: dict[Id, Id] = {}
        for one, other in pairs:
            self.against[one], self.against[other] = other, one
        self.entries: dict[Id, Entry] = {entry.id: entry for entry in field.present}

    def of(self, ns: Id, ew: Id) -> str:
        """Explain why two entries meet, and how their sides were assigned."""
        lines = [self._meeting(ns, ew)]
        if not self.by_seeds:
            lines += [self._again(ns, ew), self._apart(ns, ew)]
            lines += [self._neighbour(ns, ew), self._sides(ns, ew)]
        return " ".join(capitalise(line) for line in lines if line)

    def of_sit_out(self, id_: Id) -> str:
        """Explain why an entry sits out."""
        lines = [self._sitting_out(id_)]
        if not (self.by_seeds or self._is_drawn_by_lot):
            lines += [
                self._why_not_out(other_id)
                for other_id in self._lower(id_)[:MAX_CANDIDATES_NAMED]
            ]
        return " ".join(capitalise(line) for line in lines)

    @property
    def _is_drawn_by_lot(self) -> bool:
        return self.field.is_by_lot or self.field.method is DrawMethod.RANDOM

    @property
    def _has_three_way_match(self) -> bool:
        return self.field.odd is OddRule.THREE_WAY and len(self.field.present) % 2 == 1

    def _sitting_out(self, id_: Id) -> str:
        times = self.field.sat_out[id_]
        placeholders = {"who": self._name_entry(id_), "times": times}
        if self.by_seeds:
            return _("%(who)s sits out (last seed).") % placeholders
        if times:
            return self._again_out(times) % placeholders
        if self._is_drawn_by_lot:
            return _("%(who)s sits out (random draw).") % placeholders
        if self._lower(id_):
            return _("%(who)s sits out.") % placeholders
        other_entries = (entry for entry in self.field.present if entry.id != id_)
        if any(self.field.sat_out[entry.id] for entry in other_entries):
            return _("%(who)s sits out: lowest of those who haven't yet.") % placeholders
        return (
            _("%(who)s sits out: no one is lower, and no one has sat out yet.") % placeholders
        )

    def _again_out(self, times: int) -> str:
        if any(self.field.sat_out[entry.id] < times for entry in self.field.present):
            return ngettext(
                "%(who)s sits out again after %(times)s time, to avoid more repeat matches.",
                "%(who)s sits out again after %(times)s times, to avoid more repeat matches.",
                times,
            )
        return ngettext(
            "%(who)s sits out again after %(times)s time: no one has sat out less often.",
            "%(who)s sits out again after %(times)s times: no one has sat out less often.",
            times,
        )

    def _lower(self, id_: Id) -> list[Id]:
        """Return the lower-scoring entries with as many sit-outs, the lowest first."""
        own_score, times = self.entries[id_].cents, self.field.sat_out[id_]
        lower = (
            entry
            for entry in self.field.present
            if entry.cents < own_score and self.field.sat_out[entry.id] == times
        )
        return [
            entry.id for entry in sorted(lower, key=lambda it: (it.cents, id_sort_key(it.id)))
        ]

    def _why_not_out(self, other: Id) -> str:
        """Explain the disadvantage of the best draw in which another entry sits out."""
        placeholders = {"other": self._place(other)}
        best = self._choice.best(sitting_out=other)
        drawn_costs, instead = map(self._choice.costs_of, (self._drawn, best))
        level = find_first_difference(drawn_costs, instead)
        if level == Level.MET and drawn_costs < instead:
            return _("If %(other)s sat out, there would be more repeat matches.") % placeholders
        is_new = not (drawn_costs[Level.MET] or drawn_costs[Level.SAT_OUT])
        drawn_rounds_left, instead_left = map(self._choice.rounds_left, (self._drawn, best))
        if is_new and drawn_rounds_left > instead_left:
            return (
                _("If %(other)s sat out, a later round would have more repeat matches.")
                % placeholders
            )
        if level == Level.APART and drawn_costs < instead:
            return (
                _("If %(other)s sat out, more who must be kept apart would meet.")
                % placeholders
            )
        if level == Level.STAYS and drawn_costs < instead:
            return _("If %(other)s sat out, more stationary pairs would meet.") % placeholders
        return ""

    @cached_property
    def _choice(self) -> RoundChoice:
        return RoundChoice(self.field)

    @cached_property
    def _at(self) -> dict[Id, int]:
        return {entry.id: place for place, entry in enumerate(self.field.present)}

    @cached_property
    def _drawn(self) -> list[Edge]:
        """The edges of the explained draw, by the indexes of the entries."""
        edges = {self._edge(one, other) for one, other in self.against.items()}
        sit_out_places = [place for id_, place in self._at.items() if id_ not in self.against]
        return [*edges, *((place, self._choice.size) for place in sit_out_places)]

    def _edge(self, one: Id, other: Id) -> Edge:
        first, second = sorted((self._at[one], self._at[other]))
        return first, second

    def _meeting(self, ns: Id, ew: Id) -> str:
        first, second = sorted(
            (ns, ew), key=lambda id_: (self.field.ranks[id_], id_sort_key(id_))
        )
        if self.by_seeds:
            message = _("%(one)s plays %(other)s (by seeds).")
        elif self._is_drawn_by_lot:
            message = _("%(one)s plays %(other)s (random draw).")
        else:
            message = _("%(one)s plays %(other)s.")
        return message % {"one": self._name_entry(first), "other": self._name_entry(second)}

    def _again(self, ns: Id, ew: Id) -> str:
        rounds = self.field.met.get(frozenset((ns, ew)), [])
        if not rounds:
            return ""
        if self.field.method is DrawMethod.DANISH:
            message = _("They met in round %(rounds)s, which doesn't count here.")
        elif self._has_three_way_match:
            message = _("They met in round %(rounds)s. No draw found has fewer repeat matches.")
        else:
            message = _(
                "They met in round %(rounds)s. Every possible draw has at "
                "least this many repeat matches."
            )
        return message % {"rounds": _format_rounds(rounds)}

    def _apart(self, ns: Id, ew: Id) -> str:
        if frozenset((ns, ew)) not in self.field.apart:
            return ""
        return _("They should be kept apart, but other draws have more repeats or sit-outs.")

    def _neighbour(self, ns: Id, ew: Id) -> str:
        """Explain why the higher-ranked entry does not play one with a closer score."""
        if self._is_drawn_by_lot:
            return ""
        one, other = sorted((ns, ew), key=lambda id_: (self.field.ranks[id_], id_sort_key(id_)))
        own_distance = abs(self.entries[one].cents - self.entries[other].cents)
        nearer = sorted(
            (
                entry.id
                for entry in self.field.present
                if entry.id not in (one, other)
                and self.field.ranks[entry.id] >= self.field.ranks[one]
                and abs(entry.cents - self.entries[one].cents) < own_distance
            ),
            key=lambda id_: (self.field.ranks[id_], id_sort_key(id_)),
        )
        lines = [self._why_not(one, each) for each in nearer[:3]]
        return " ".join(capitalise(line) for line in lines if line)

    def _why_not(self, one: Id, other: Id) -> str:
        placeholders = {"one": self._place(one), "other": self._place(other)}
        rounds = self.field.met.get(frozenset((one, other)), [])
        if rounds and self.field.method is not DrawMethod.DANISH:
            placeholders["rounds"] = _format_rounds(rounds)
            return _("%(one)s and %(other)s met in round %(rounds)s.") % placeholders
        if frozenset((one, other)) in self.field.apart:
            return _("%(one)s and %(other)s are kept apart.") % placeholders
        if self.entries[one].seat is self.entries[other].seat is SeatPreference.STAYS:
            return _("%(one)s and %(other)s are both stationary.") % placeholders
        rival = self.against.get(other)
        if rival is None:
            if self._has_three_way_match:
                return _("%(other)s plays a match of three.") % placeholders
            return _("%(other)s sits out.") % placeholders
        return self._why_not_exchanged(one, other, rival)

    def _why_not_exchanged(self, one: Id, other: Id, rival: Id) -> str:
        """Explain the disadvantage of a draw that exchanges the opponents of two entries."""
        opponent = self.against[one]
        placeholders = {
            "other": self._place(other),
            "rival": self._place(rival),
            "left": self._place(opponent),
        }
        drawn_edges = [self._edge(one, opponent), self._edge(other, rival)]
        instead = [self._edge(one, other), self._edge(opponent, rival)]
        drawn_costs, other_costs = map(self._choice.costs_of, (drawn_edges, instead))
        level = find_first_difference(drawn_costs, other_costs)
        if other_costs < drawn_costs:
            is_searched = count_rounds_to_protect(self.field) > 0
            text = _("%(other)s plays %(rival)s, so that later rounds need no repeat.")
            return text % placeholders if is_searched else ""
        reasons = {
            Level.MET: _("%(other)s plays %(rival)s: %(rival)s and %(left)s have met."),
            Level.APART: _("%(other)s plays %(rival)s: %(rival)s and %(left)s are kept apart."),
            Level.STAYS: _("%(other)s plays %(rival)s: %(rival)s and %(left)s are stationary."),
            Level.SCORES: _("%(other)s plays %(rival)s: the two matches are closer together."),
            Level.WISHES: _(
                "%(other)s plays %(rival)s, so that more sit North-South as they prefer."
            ),
            Level.SIDES: _("%(other)s plays %(rival)s, so that sides are more even."),
            Level.LOT: _("%(other)s plays %(rival)s (random draw between equals)."),
        }
        return reasons[Level.LOT if level is None else Level(level)] % placeholders

    def _sides(self, ns: Id, ew: Id) -> str:
        ns_balance, ew_balance = self.field.sides[ns], self.field.sides[ew]
        placeholders = {"ns": self._place(ns), "ew": self._place(ew)}
        is_of_teams = self.field.kind == "teams"
        if self.entries[ns].seat is SeatPreference.STAYS:
            return (
                _("%(ns)s at home.") if is_of_teams else _("%(ns)s is stationary North-South.")
            ) % placeholders
        if self.entries[ns].seat is SeatPreference.NORTH_SOUTH and ns_balance >= ew_balance:
            return _("%(ns)s North-South, as preferred.") % placeholders
        if ns_balance >= ew_balance:
            return _("Sides drawn at random.") if ns_balance == ew_balance else ""
        texts = (
            (
                _("%(ew)s away, after more home than away matches."),
                _("%(ns)s at home, after more away than home matches."),
            )
            if is_of_teams
            else (
                _("%(ew)s East-West, after more rounds North-South."),
                _("%(ns)s North-South, after more rounds East-West."),
            )
        )
        return texts[ew_balance <= 0] % placeholders

    def _name_entry(self, id_: Id) -> str:
        """Return an entry's rank and score as text; in a first round, its name or number."""
        if self.field.is_by_lot:
            return str(self.entries[id_].name or id_)
        score = self.entries[id_].cents
        sign = "−" if score < 0 else ""
        return f"{self._place(id_)} ({sign}{abs(score) // 100}.{abs(score) % 100:02d})"

    def _place(self, id_: Id) -> str:
        """Return the rank of an entry as text; its name or number if others have the same rank.

        The text is "place 4", because "no. 4" on a score slip is the number of an entry.
        """
        rank = self.field.ranks[id_]
        if self._often[rank] > 1:
            return str(self.entries[id_].name or id_)
        return _("place %(rank)s") % {"rank": rank}

    @cached_property
    def _often(self) -> Counter[int]:
        """The number of entries with each rank."""
        return Counter(self.field.ranks.values())
