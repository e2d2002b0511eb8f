"""Write the tables of `docs/contracts.md` from the games."""

from itertools import groupby

from drives.games import GAMES_BY_CODE
from drives.games.contracts import (
    Contract,
    ContractRule,
    DeclaringSide,
    Game,
    PassedDealRule,
    TrickGoal,
)

PLAYERS_BY_SIDE = {
    DeclaringSide.ALONE: "1",
    DeclaringSide.PAIR: "2",
    DeclaringSide.PAIR_OR_ALONE: "1–2",
    DeclaringSide.EACH: "each",
}
PASSED_DEAL_TEXTS = {
    PassedDealRule.REDEAL: "redeal for the same points",
    PassedDealRule.DOUBLE_NEXT: "the next hand counts double",
}
GOALS = {TrickGoal.AT_LEAST: "", TrickGoal.AT_MOST: "at most ", TrickGoal.EXACTLY: "exactly "}


def write_tables() -> str:
    """Return a section for each game, with its contracts in the order of the bids."""
    return "\n".join(map(_write_game, GAMES_BY_CODE.values()))


def _write_game(game: Game) -> str:
    lines = [f"### {game.title}", "", f"{game.blurb} {game.doubt}".strip(), ""]
    passed_deal_rule = game.points_table.passed
    lines += [
        f"* Game code: `{game.code}`. Points from: {game.source}",
        f"* If everyone passes: {PASSED_DEAL_TEXTS[passed_deal_rule]} (`{passed_deal_rule}`)",
        f"* Variants: {'; '.join(f'`{item.code}` ({item.title})' for item in game.variants)}",
        "",
    ]
    lines += [
        "| key | contract | players | tricks | points if made | points if lost |",
        "|---|---|---|---|---|---|",
    ]
    rows = [
        _write_row(list(contract_group))
        for _rule, contract_group in groupby(game.points_table.contracts, _get_rule)
    ]
    return "\n".join([*lines, *rows, ""])


def _get_rule(contract: Contract) -> ContractRule:
    return contract.rule


def _write_row(contracts: list[Contract]) -> str:
    """Write a row of consecutive contracts with the same tricks and points."""
    rule = contracts[0].rule
    tricks = "–" if rule.wants is None else f"{GOALS[rule.goal]}{rule.wants}"
    if rule.goal is TrickGoal.AT_MOST and rule.wants == 0:
        tricks = "none"
    cells = [
        ", ".join(each.label.key for each in contracts),
        ", ".join(map(_write_title, contracts)),
        PLAYERS_BY_SIDE[rule.side],
        tricks,
        _write_points(rule.made, rule.made_step),
        _write_points(rule.lost, rule.lost_step),
    ]
    return f"| {' | '.join(cells)} |"


def _write_title(contract: Contract) -> str:
    label = contract.label
    title = f"{label.title} (*{label.local}*)" if label.local != label.title else label.title
    return title if contract.rule.played else f"[{title}]"


def _write_points(points: tuple[int, ...], step: int) -> str:
    arguments = [*map(str, points), *([f"+{step}"] if step else [])]
    return " ".join(arguments) or "–"
