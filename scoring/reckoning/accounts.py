"""Explanations of every number of an entry, from the same values as its score."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import METHODS, Method, entries_of
from scoring.methods.explain import explain_placing, in_field_explainer
from scoring.methods.method import Explainer
from scoring.methods.opponents import met, rounds_met
from scoring.methods.ranking import Placing
from scoring.methods.steps import Figure, Step, form
from scoring.methods.ties import titles
from scoring.methods.tricks import nearest_trick
from scoring.reckoning.lines import Pool
from scoring.reckoning.scores import NOTHING, Scored, is_level

PoolKey = tuple[int, str]
InField = Callable[[int], Step | None]


class Accounts:
    """An event's scores with their explainers, each computed once for all entries."""

    def __init__(self, found: Scored) -> None:
        """Collect the pools in which each entry played, by session."""
        self.found = found
        self._pools: dict[int, list[tuple[PoolKey, Pool]]] = defaultdict(list)
        for key, pool in sorted(found.tally.pools.items()):
            for entry in entries_of(pool.lines):
                self._pools[entry].append((key, pool))
        self._told: dict[tuple[str, PoolKey], Explainer] = {}
        self._fields: dict[tuple[PoolKey, int, str], InField] = {}

    def pools_of(self, entry: int) -> list[tuple[PoolKey, Pool]]:
        """Return the pools in which an entry played, in the order of the sessions."""
        return self._pools.get(entry, [])

    def tell(self, method: Method, key: PoolKey, entry: int) -> Step:
        """Explain the score of an entry in a pool."""
        asked = method.name, key
        if asked not in self._told:
            self._told[asked] = method.explainer(self.found.tally.pools[key].lines)
        return self._told[asked](entry)

    def tell_in_field(
        self, key: PoolKey, entry: int, field: Sequence[int], name: str
    ) -> Step | None:
        """Explain a plus or minus in a pool as the total less the field's average."""
        asked = key, field[0], name
        if asked not in self._fields:
            self._fields[asked] = in_field_explainer(
                self.found.tally.pools[key].lines,
                frozenset(field),
                name,
                to_whole_tricks=self.found.method.whole_averages,
            )
        return self._fields[asked](entry)


def score(of: Accounts, entry: int, *, reasons: Sequence[str] = ()) -> Step:
    """Explain an entry's score: its deals or matches, its penalties and its carry-over.

    `reasons` are the reasons for its penalties, which are shown in the text.
    """
    steps = [*_this_session(of, entry), *_penalties(of.found, entry, reasons)]
    steps += [*_carried(of, entry), *_brought(of.found, entry)]
    if not steps:
        return Step(NOTHING, _("Nothing has been scored yet."))
    if len(steps) == 1:
        return steps[0]
    amount = sum((step.amount for step in steps), NOTHING)
    words = _("The score is {score}.")
    if of.found.method.in_points and of.found.method.signed:
        words = _("The score is {score:signed}.")
    return Step(amount, words, {"score": amount}, tuple(steps))


def in_field(
    of: Accounts, entry: int, field: Sequence[int], side: str, contest: str
) -> Step | None:
    """Explain a plus or minus as the total less the field's average, as clubs compute it.

    Returns None where this is not valid: another method, several sessions, penalties, or a
    field that did not play alike.
    """
    pools = of.pools_of(entry)
    is_plain = of.found.method.name == "plus_minus" and not of.found.losses.get(entry)
    if not is_plain or len(pools) != 1:
        return None
    return of.tell_in_field(pools[0][0], entry, field, _name(side, contest))


def share(found: Scored, entry: int) -> Step | None:
    """Explain a percentage: points won of the points available; None without percentages."""
    if not found.has_shares:
        return None
    figures: dict[str, Figure] = {
        "share": found.worth.get(entry, NOTHING),
        "won": found.scores.get(entry, NOTHING),
        "available": found.available.get(entry, NOTHING),
        "unit": found.method.unit,
    }
    words = _("{share:percent}: {won} {unit} of the {available} that could be won.")
    return Step(found.worth.get(entry, NOTHING), words, figures)


def placing(found: Scored, placings: Sequence[Placing], entry: int) -> Step:
    """Explain an entry's rank, and the tie-break that decided it."""
    return explain_placing(placings, entry, titles(in_points=found.method.in_points))


def placed_by(found: Scored, entry: int, field: Sequence[int]) -> Step | None:
    """Explain the number by which a field is ranked, if it is not the score; else None."""
    if found.by_corrected:
        total = found.corrected[entry]
        words = _("The corrected total places the field: {corrected}.")
        if found.method.signed:
            words = _("The corrected total places the field: {corrected:signed}.")
        return Step(total, words, {"corrected": total})
    if found.has_shares or is_level(found.boards, field):
        return None
    if not found.a_board:
        words = _("The field played unequal numbers of boards and is placed by whole scores.")
        return Step(NOTHING, words)
    figures: dict[str, Figure] = {
        "score": found.scores.get(entry, NOTHING),
        "boards": found.weights.get(entry, NOTHING),
        "worth": found.a_board.get(entry, NOTHING),
    }
    words = _(
        "The field played unequal numbers of boards, so it is placed by the score a board: "
        "{score} on {boards} boards, {worth} a board."
    )
    if found.method.signed:
        words = _(
            "The field played unequal numbers of boards, so it is placed by the score a board: "
            "{score:signed} on {boards} boards, {worth:signed} a board."
        )
    if found.weights.get(entry) != found.boards.get(entry):
        figures["part"] = found.part
        words += " " + _("Boards of earlier sessions count {part} each.")
    return Step(found.a_board.get(entry, NOTHING), words, figures)


def corrected(found: Scored, entry: int) -> Step | None:
    """Explain a corrected total: the own total, and the part from each opponent's total."""
    if entry not in found.corrected:
        return None
    own, averages = found.scores.get(entry, NOTHING), found.averages
    opponents = met(found.tally.lines)
    rounds = rounds_met(opponents)
    mine = opponents.get(entry, [])
    steps = [Step(own, _("The own total: {score:signed}."), {"score": own})]
    words = _("{other:entry}, {above:signed} above the average, divided by the rounds.")
    halved = _(
        "{other:entry}, {above:signed} above the average, half of it, divided by the rounds."
    )
    for other, part in mine:
        above = found.scores.get(other, NOTHING) - averages.get(other, NOTHING)
        told = words if part == 1 else halved
        steps.append(Step(above * part / rounds, told, {"other": other, "above": above}))
    played = sum((each.part for each in mine), NOTHING)
    missing = rounds - played
    if missing and mine:
        mean = (own - averages.get(entry, NOTHING)) / played
        told = _(
            "No opponent in {missing} of the rounds: the own mean, {mean:signed}, instead."
        )
        figures: dict[str, Figure] = {"missing": missing, "mean": mean}
        steps.append(Step(missing * mean / rounds, told, figures))
    amount = found.corrected[entry]
    figures = {"corrected": amount, "rounds": rounds}
    words = _(
        "{corrected:signed} is the own total with those of the opponents, divided by {rounds} "
        "rounds."
    )
    return Step(amount, words, figures, tuple(steps))


def tricks(of: Accounts, entry: int) -> Step:
    """Explain an entry's total of tricks or points, deal by deal."""
    in_points = of.found.method.in_points
    method = METHODS["points" if in_points else "tricks"]
    steps = [
        part for key, _ in of.pools_of(entry) for part in of.tell(method, key, entry).parts
    ]
    amount = sum((step.amount for step in steps), NOTHING)
    if in_points:
        words = _("{total:signed} points in all.")
        return Step(amount, words, {"total": amount}, tuple(steps))
    words = ngettext("{total} trick in all.", "{total} tricks in all.", form(amount))
    return Step(amount, words, {"total": amount}, tuple(steps))


def field_average(found: Scored, field: Sequence[int], side: str, contest: str) -> Step:
    """Explain a field's average: the sum of its totals over the number of its entries."""
    totals = sorted((found.tricks[entry] for entry in field), reverse=True)
    average = sum(totals, NOTHING) / len(totals)
    figures: dict[str, Figure] = {
        "average": average,
        "sum": sum(totals, NOTHING),
        "count": len(totals),
        "name": _name(side, contest),
        "totals": tuple(totals),
    }
    words = _("{average} is the average of {count} {name}: {totals}, {sum} in all.")
    if found.method.in_points:
        words = _(
            "{average:signed} is the average of {count} {name}: {totals:signed}, {sum:signed} "
            "in all."
        )
    if found.method.whole_averages and nearest_trick(average) != average:
        figures["whole"] = nearest_trick(average)
        words += " " + _("To the nearest whole trick that is {whole}.")
    return Step(average, words, figures)


def _name(side: str, contest: str) -> str:
    """Return the name of a field of entries: N-S pairs, teams."""
    if contest == "teams":
        return _("teams")
    if contest == "individual":
        return _("players")
    return {"NS": _("N-S pairs"), "EW": _("E-W pairs")}.get(side) or _("pairs")


def _this_session(of: Accounts, entry: int) -> list[Step]:
    last = of.found.last
    scored = [
        of.tell(of.found.method, key, entry) for key, _ in of.pools_of(entry) if key[0] == last
    ]
    return scored + _sat_out(of.found, last, entry)


def _sat_out(found: Scored, session: int, entry: int) -> list[Step]:
    """Explain the score of sit-outs in drawn rounds."""
    often = found.tally.missed_in(session).get(entry, NOTHING)
    if not (often and found.method.sits_out):
        return []
    words = ngettext(
        "{rounds} round without a match, which counts as the average: {worth}.",
        "{rounds} rounds without a match, which count as the average: {worth}.",
        form(often),
    )
    worth = often * found.method.sits_out
    return [Step(worth, words, {"rounds": often, "worth": worth})]


def _penalties(found: Scored, entry: int, reasons: Sequence[str]) -> list[Step]:
    loss = found.losses.get(entry, NOTHING)
    if not loss:
        return []
    if not reasons:
        return [Step(-loss, _("Penalties take off {loss}."), {"loss": loss})]
    words = _("Penalties take off {loss} ({why}).")
    return [Step(-loss, words, {"loss": loss, "why": "; ".join(reasons)})]


def _carried(of: Accounts, entry: int) -> list[Step]:
    """Explain the score of each earlier session, and the part of it that is carried over."""
    tally = of.found.tally
    numbers = {key[0] for key, _ in of.pools_of(entry)}
    numbers |= {number for number in tally.missed if entry in tally.missed_in(number)}
    numbers |= {number for number, losses in tally.losses.items() if losses.get(entry)}
    return [_session(of, each, entry) for each in sorted(numbers) if each != of.found.last]


def _brought(found: Scored, entry: int) -> list[Step]:
    """Explain the carry-over from the qualifying into a final."""
    if entry not in found.brought or entry not in found.seats:
        return []
    it = found.brought[entry]
    figures: dict[str, Figure] = {
        "amount": it.amount,
        "tricks": it.tricks,
        "played": it.played,
        "boards": it.boards,
        "share": it.carry.share,
    }
    words = _(
        "{amount:signed} was brought along: {share:percent} of {tricks:signed} on {played} "
        "boards of the qualifying, for the {boards} boards of the final."
    )
    if it.carry.whole:
        words = _("{amount:signed} was brought along, the whole of the qualifying.")
    elif it.carry.cap is not None:
        figures["cap"] = it.carry.cap
        words += " " + _("At most {cap} tricks a board are carried over.")
    return [Step(it.amount, words, figures)]


def _session(of: Accounts, number: int, entry: int) -> Step:
    found = of.found
    keys = [key for key, _ in of.pools_of(entry) if key[0] == number]
    parts = [
        *(of.tell(found.method, key, entry) for key in keys),
        *_sat_out(found, number, entry),
    ]
    loss = found.tally.losses.get(number, {}).get(entry, Fraction())
    net = sum((each.amount for each in parts), -loss)
    kept = net * found.part
    if loss:
        parts.append(Step(-loss, _("Penalties take off {loss}."), {"loss": loss}))
    if kept != net:
        words = _("Only {part} of it is carried over.")
        parts.append(Step(kept - net, words, {"part": found.part}))
    figures: dict[str, Figure] = {"kept": kept, "session": number}
    words = _("{kept:signed} was carried over from session {session}.")
    return Step(kept, words, figures, tuple(parts))
