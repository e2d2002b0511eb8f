"""Why two meet, on these sides, and why somebody sits out: told from the data of the draw."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from boards.whist.words import gettext as _
from boards.whist.words import ngettext
from tournaments.movements.words import listed
from tournaments.swiss.field import Entry, Field, Id, Method, Odd, Round, Seat, order


def capitalised(words: str) -> str:
    """Begin words with a capital, and leave the others as they are."""
    return words[:1].upper() + words[1:]


def _listed(rounds: Iterable[Round]) -> str:
    """Name rounds by their numbers, those of an earlier session with it."""
    words = _("%(round)s of session %(session)s")
    return listed(
        [
            str(each.number)
            if each.session is None
            else words % {"round": each.number, "session": each.session}
            for each in rounds
        ]
    )


class Reasons:
    """The words of one draw; who plays whom is known when they are asked for."""

    def __init__(self, field: Field, pairs: Iterable[tuple[Id, Id]]) -> None:
        self.field = field
        self.against: dict[Id, Id] = {}
        for one, other in pairs:
            self.against[one], self.against[other] = other, one
        self.entries: dict[Id, Entry] = {entry.id: entry for entry in field.present}

    def of(self, ns: Id, ew: Id) -> str:
        """Say why two meet and how their sides were given."""
        told = [self._meeting(ns, ew), self._again(ns, ew), self._apart(ns, ew)]
        told += [self._neighbour(ns, ew), self._sides(ns, ew)]
        return " ".join(capitalised(each) for each in told if each)

    def of_sit_out(self, id_: Id) -> str:
        """Say why somebody sits out."""
        times = self.field.sat_out[id_]
        if times:
            words = ngettext(
                "%(who)s sits out again after %(times)s time: only so are others spared.",
                "%(who)s sits out again after %(times)s times: only so are others spared.",
                times,
            )
            return capitalised(words % {"who": self._called(id_), "times": times})
        lower = [
            each.id
            for each in self.field.present
            if each.cents < self.entries[id_].cents and not self.field.sat_out[each.id]
        ]
        if lower:
            words = _("%(who)s sits out: with a lower one more would meet again.")
        elif all(not self.field.sat_out[each.id] for each in self.field.present):
            words = _("%(who)s sits out: the lowest, and nobody has sat out yet.")
        else:
            words = _("%(who)s sits out: the lowest who has not sat out.")
        return capitalised(words % {"who": self._called(id_)})

    def _meeting(self, ns: Id, ew: Id) -> str:
        first, second = sorted((ns, ew), key=lambda id_: (self.field.ranks[id_], order(id_)))
        if self.field.is_by_lot:
            words = _("%(one)s plays %(other)s, by lot.")
        else:
            words = _("%(one)s plays %(other)s.")
        return words % {"one": self._called(first), "other": self._called(second)}

    def _again(self, ns: Id, ew: Id) -> str:
        rounds = self.field.met.get(frozenset((ns, ew)), [])
        if not rounds:
            return ""
        if self.field.method is Method.DANISH:
            words = _("They met in round %(rounds)s, which does not count here.")
        else:
            words = _("They met in round %(rounds)s: no draw has fewer who meet again.")
        return words % {"rounds": _listed(rounds)}

    def _apart(self, ns: Id, ew: Id) -> str:
        if frozenset((ns, ew)) not in self.field.apart:
            return ""
        return _("They were to be kept apart, and no draw manages more.")

    def _neighbour(self, ns: Id, ew: Id) -> str:
        """Say why the higher does not play somebody nearer."""
        if self.field.method is Method.RANDOM:
            return ""
        one, other = sorted((ns, ew), key=lambda id_: (self.field.ranks[id_], order(id_)))
        own = abs(self.entries[one].cents - self.entries[other].cents)
        nearer = sorted(
            (
                each.id
                for each in self.field.present
                if each.id not in (one, other)
                and self.field.ranks[each.id] >= self.field.ranks[one]
                and abs(each.cents - self.entries[one].cents) < own
            ),
            key=lambda id_: (self.field.ranks[id_], order(id_)),
        )
        told = [self._why_not(one, each) for each in nearer[:3]]
        return " ".join(capitalised(each) for each in told if each)

    def _why_not(self, one: Id, other: Id) -> str:
        words = {"one": self._place(one), "other": self._place(other)}
        rounds = self.field.met.get(frozenset((one, other)), [])
        if rounds and self.field.method is not Method.DANISH:
            words["rounds"] = _listed(rounds)
            return _("%(one)s and %(other)s met in round %(rounds)s.") % words
        if frozenset((one, other)) in self.field.apart:
            return _("%(one)s and %(other)s are kept apart.") % words
        if self.entries[one].seat is self.entries[other].seat is Seat.STAYS:
            return _("%(one)s and %(other)s both stay seated.") % words
        rival = self.against.get(other)
        if rival is None:
            if self.field.odd is Odd.THREE_WAY and len(self.field.present) % 2:
                return _("%(other)s plays a match of three.") % words
            return _("%(other)s sits out.") % words
        words["rival"] = self._place(rival)
        return _("%(other)s plays %(rival)s, so that all matches together are closer.") % words

    def _sides(self, ns: Id, ew: Id) -> str:
        here, there = self.field.sides[ns], self.field.sides[ew]
        words = {"ns": self._place(ns), "ew": self._place(ew)}
        if self.field.kind == "teams":
            told = _("%(ns)s at home."), _("%(ns)s at home, being oftener away before.")
            return told[here < there] % words
        if self.entries[ns].seat is Seat.STAYS:
            return _("%(ns)s stays North-South.") % words
        if self.entries[ns].seat is Seat.NORTH_SOUTH and here >= there:
            return _("%(ns)s North-South, as wished.") % words
        if here == there:
            return _("Sides by lot.")
        if there > 0:
            return _("%(ew)s East-West, having sat North-South oftener before.") % words
        return _("%(ns)s North-South, having sat East-West oftener before.") % words

    def _called(self, id_: Id) -> str:
        """Name an entry by its rank and score; in the first round by its name or number."""
        if self.field.is_by_lot:
            return str(self.entries[id_].name or id_)
        score = self.entries[id_].cents
        sign = "−" if score < 0 else ""
        return f"{self._place(id_)} ({sign}{abs(score) // 100}.{abs(score) % 100:02d})"

    def _place(self, id_: Id) -> str:
        """Name an entry by its rank; by its name or number where others have that rank too.

        "Place 4" and not "no. 4": on a slip a number is that of an entry.
        """
        rank = self.field.ranks[id_]
        if self._often[rank] > 1:
            return str(self.entries[id_].name or id_)
        return _("place %(rank)s") % {"rank": rank}

    @cached_property
    def _often(self) -> Counter[int]:
        """How many have each rank."""
        return Counter(self.field.ranks.values())
