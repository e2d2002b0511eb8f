"""Every figure of an entry opened into its arithmetic, from the same values as the score."""

from collections.abc import Sequence
from fractions import Fraction

from scoring.lines import Pool
from scoring.methods import METHODS, Line
from scoring.methods.explain import explain_in_field, explain_placing
from scoring.methods.ranking import Placing
from scoring.methods.steps import Figure, Step
from scoring.methods.ties import TIE_BREAKS
from scoring.methods.tricks import nearest_trick
from scoring.scores import NOTHING, Scored, pools_of

NOUNS = {"pairs": "pairs", "teams": "teams", "individual": "players", "memory": "pairs"}
SIDES = {"NS": "N-S ", "EW": "E-W ", "": ""}


def score(found: Scored, entry: int, *, reasons: Sequence[str] = ()) -> Step:
    """Explain an entry's score: its deals or matches, its penalties, and what it carried over.

    `reasons` are those of its penalties, for the words.
    """
    steps = [*_this_session(found, entry), *_penalties(found, entry, reasons)]
    steps += _carried(found, entry)
    if not steps:
        return Step(NOTHING, "Nothing has been scored yet.")
    if len(steps) == 1:
        return steps[0]
    amount = sum((step.amount for step in steps), NOTHING)
    return Step(amount, "The score is {score}.", {"score": amount}, tuple(steps))


def in_field(
    found: Scored, entry: int, field: Sequence[int], side: str, contest: str
) -> Step | None:
    """Explain a plus or minus as the total less the field's average, as clubs reckon it.

    None where it cannot be said so: another method, several sessions, penalties, or a field
    that did not play alike.
    """
    pools = pools_of(found.tally, entry)
    if found.method.name != "plus_minus" or len(pools) != 1 or found.losses.get(entry):
        return None
    lines = pools[0][1].lines
    name = f"{SIDES[side]}{NOUNS[contest]}"
    whole = found.method.whole_averages
    return explain_in_field(lines, entry, field, name, to_whole_tricks=whole)


def share(found: Scored, entry: int) -> Step | None:
    """Explain a percentage: the points of those that could be had; None where there is none."""
    if not found.has_shares:
        return None
    figures: dict[str, Figure] = {
        "share": found.worth.get(entry, NOTHING),
        "won": found.scores.get(entry, NOTHING),
        "available": found.available.get(entry, NOTHING),
        "unit": found.method.unit,
    }
    words = "{share:percent}: {won} {unit} of the {available} that could be won."
    return Step(found.worth.get(entry, NOTHING), words, figures)


def placing(placings: Sequence[Placing], entry: int) -> Step:
    """Explain an entry's rank, and what broke a tie."""
    titles = {name: it.title for name, it in TIE_BREAKS.items()}
    return explain_placing(placings, entry, titles)


def tricks(found: Scored, entry: int) -> Step:
    """Explain an entry's total of tricks, deal by deal."""
    steps = [
        part
        for _, pool in pools_of(found.tally, entry)
        for part in METHODS["tricks"].explain(pool.lines, entry).parts
    ]
    amount = sum((step.amount for step in steps), NOTHING)
    return Step(amount, "{total} tricks in all.", {"total": amount}, tuple(steps))


def field_average(found: Scored, field: Sequence[int], side: str, contest: str) -> Step:
    """Explain a field's average: the sum of its totals over the number of its entries."""
    totals = sorted((found.tricks[entry] for entry in field), reverse=True)
    average = sum(totals, NOTHING) / len(totals)
    figures: dict[str, Figure] = {
        "average": average,
        "sum": sum(totals, NOTHING),
        "count": len(totals),
        "name": f"{SIDES[side]}{NOUNS[contest]}",
        "totals": tuple(totals),
    }
    words = "{average} is the average of {count} {name}: {totals}, {sum} in all."
    if found.method.whole_averages and nearest_trick(average) != average:
        figures["whole"] = nearest_trick(average)
        words += " To the nearest whole trick that is {whole}."
    return Step(average, words, figures)


def deals_of(lines: Sequence[Line], entry: int) -> list[int]:
    """List the deals of an entry's lines, in their order."""
    return [line.deal for line in lines if entry in line.ns or entry in line.ew]


def _this_session(found: Scored, entry: int) -> list[Step]:
    return [
        found.method.explain(pool.lines, entry)
        for (number, _), pool in pools_of(found.tally, entry)
        if number == found.last
    ]


def _penalties(found: Scored, entry: int, reasons: Sequence[str]) -> list[Step]:
    loss = found.losses.get(entry, NOTHING)
    if not loss:
        return []
    why = f" ({'; '.join(reasons)})" if reasons else ""
    return [
        Step(-loss, "Penalties take off {loss}{why}.", {"loss": loss, "why": why}),
    ]


def _carried(found: Scored, entry: int) -> list[Step]:
    """Explain what each earlier session brought, and what part of it is carried over."""
    return [
        _session(found, number, pool, entry)
        for (number, _), pool in pools_of(found.tally, entry)
        if number != found.last
    ]


def _session(found: Scored, number: int, pool: Pool, entry: int) -> Step:
    scored = found.method.explain(pool.lines, entry)
    loss = found.tally.losses.get(number, {}).get(entry, Fraction())
    net = scored.amount - loss
    kept = net * found.part
    parts = [scored]
    if loss:
        parts.append(Step(-loss, "Penalties take off {loss}.", {"loss": loss}))
    if kept != net:
        words = "Only {part} of it is carried over."
        parts.append(Step(kept - net, words, {"part": found.part}))
    figures: dict[str, Figure] = {"kept": kept, "session": number}
    words = "{kept:signed} was carried over from session {session}."
    return Step(kept, words, figures, tuple(parts))
