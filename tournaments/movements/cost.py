"""What a movement costs its players, in plain words."""

from tournaments.movements.balance import Balance
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement
from tournaments.movements.words import ranged, said

NOUNS = {
    Contest.PAIRS: "pair",
    Contest.MEMORY: "pair",
    Contest.TEAMS: "team",
    Contest.INDIVIDUAL: "player",
}


def cost(movement: Movement, figures: Balance) -> str:
    """Say in a few short sentences what is not perfect about a movement.

    Board groups that are missed by sitting out are not told twice.
    """
    noun = NOUNS[movement.contest]
    sentences = [
        _missed(movement, figures, noun),
        _partners(figures),
        _unplayed(movement, figures, noun),
        _sitting_out(figures, noun),
        _compared(figures, noun),
        "Some tables share boards." if figures.shared else "",
        "Every deal is played twice by the same people." if movement.replays else "",
        "The two fields have a winner each." if movement.winners == 2 else "",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _missed(movement: Movement, figures: Balance, noun: str) -> str:
    if figures.met == figures.possible:
        across = " of the other field" if movement.winners == 2 else ""
        return f"Everybody meets every {noun}{across}."
    missed = [sum(own in couple for couple in figures.unmet) for own in figures.competitors]
    least, most = min(missed), max(missed)
    if least:
        return f"Nobody meets everyone: each {noun} misses {_range(least, most)}."
    return f"Not all meet: some {noun}s miss {_range(1, most)}."


def _partners(figures: Balance) -> str:
    if figures.partners is None or figures.partners.least == figures.partners.most:
        return ""
    if figures.partners.least == 0:
        return "Some players are never partners."
    least, most = figures.partners.least, figures.partners.most
    return f"Two players are partners {_range(least, most)} times."


def _unplayed(movement: Movement, figures: Balance, noun: str) -> str:
    least, most = figures.unplayed.least, figures.unplayed.most
    if most == 0 or figures.unplayed == figures.sit_outs:
        return ""
    who = f"Each {noun}" if least else f"Some {noun}s"
    verb = "leaves" if least else "leave"
    return f"{who} {verb} {ranged(max(least, 1), most, 'board group')} unplayed."


def _sitting_out(figures: Balance, noun: str) -> str:
    least, most = figures.sit_outs.least, figures.sit_outs.most
    if most == 0:
        return ""
    if least:
        return f"Each {noun} sits out {ranged(least, most, 'round')}."
    return f"Some {noun}s sit out {ranged(1, most, 'round')}."


def _compared(figures: Balance, noun: str) -> str:
    least, most = figures.comparisons.least, figures.comparisons.most
    if most == least:
        return ""
    return f"Two {noun}s are compared on {ranged(least, most, 'board group')}."


def _range(least: int, most: int) -> str:
    if least == most:
        return said(most)
    return f"{said(least)} {'or' if most == least + 1 else 'to'} {said(most)}"
