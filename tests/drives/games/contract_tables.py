"""The tables of `docs/contracts.md`, written from the games."""

from drives.games import GAMES
from drives.games.contracts import Contract, Game, Goal, PassedRule, Side

PLAYERS = {Side.ALONE: "1", Side.PAIR: "2", Side.PAIR_OR_ALONE: "1–2", Side.EACH: "each"}
PASSED = {
    PassedRule.REDEAL: "redeal for the same points",
    PassedRule.DOUBLE_NEXT: "the next hand counts double",
}
GOALS = {Goal.AT_LEAST: "", Goal.AT_MOST: "at most ", Goal.EXACTLY: "exactly "}


def write_tables() -> str:
    """Return a section for each game, with its contracts in the order of the bids."""
    return "\n".join(map(_write_game, GAMES.values()))


def _write_game(game: Game) -> str:
    lines = [f"### {game.title}", "", f"{game.blurb} {game.doubt}".strip(), ""]
    lines += [
        f"* Game code: `{game.code}`",
        f"* Points from: {game.source}",
        f"* If everyone passes: {PASSED[game.table.passed]} (`{game.table.passed}`)",
        *(f"* Variant `{item.code}`: {item.title}" for item in game.variants),
        "",
    ]
    lines += [
        "| key | contract | players | tricks | points if made | points if lost |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([*lines, *map(_write_contract, game.table.contracts), ""])


def _write_contract(contract: Contract) -> str:
    label, rule = contract.label, contract.rule
    title = f"{label.title} (*{label.local}*)" if label.local != label.title else label.title
    tricks = "–" if rule.wants is None else f"{GOALS[rule.how]}{rule.wants}"
    cells = [
        label.key,
        title if rule.played else f"[{title}]",
        PLAYERS[rule.side],
        tricks,
        _write_points(rule.made, rule.made_step),
        _write_points(rule.lost, rule.lost_step),
    ]
    return f"| {' | '.join(cells)} |"


def _write_points(points: tuple[int, ...], step: int) -> str:
    arguments = [*map(str, points), *([f"+{step}"] if step else [])]
    return " ".join(arguments) or "–"
