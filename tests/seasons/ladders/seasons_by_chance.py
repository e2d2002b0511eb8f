"""Random seasons as files: every setting of a ladder, and evenings of every kind."""

from random import Random
from typing import Any

MEASURES = (
    *("place", "place", "beaten", "plus", "plus_a_board", "percent", "tricks", "score"),
    "attendance",
)


def draw_season(seed: int, slug: str = "spring") -> dict[str, Any]:
    """Return a season of a few people and evenings, with ladders of all sorts."""
    chance = Random(seed)
    people = [
        {
            "id": f"p{n}",
            "name": f"{chance.choice('AÉZł')}nn {n}",
            "member": chance.random() < 0.7,
        }
        for n in range(chance.randint(4, 9))
    ]
    ids = [person["id"] for person in people]
    return {
        "format": "whist-season/1",
        "club": {"name": "Riverside"},
        "players": people,
        "season": {"slug": slug, "name": "Spring", "from": "2026-01-01", "to": "2026-06-30"},
        "ladders": [draw_ladder(chance, n, ids) for n in range(6)],
        "evenings": [draw_evening(chance, n, ids) for n in range(chance.randint(0, 7))],
    }


def draw_ladder(chance: Random, number: int, ids: list[str]) -> dict[str, Any]:
    """Return a valid rule."""
    measure = chance.choice(MEASURES)
    who = chance.choice(["players", "players", "pairs", "teams"])
    rule: dict[str, Any] = {
        "slug": f"l{number}",
        "name": f"Ladder {number}",
        "who": who,
        "measure": measure,
        "combine": chance.choice(["sum", "mean"]),
    }
    if measure == "place":
        points = sorted((chance.randint(0, 9) for _ in range(4)), reverse=True)
        rule["points"] = [
            chance.choice([point, str(point), f"{2 * point}/2"]) for point in points
        ]
    rule |= draw_counting_rule(chance)
    for key in ("members_only", "close_ranks", "across"):
        if chance.random() < 0.4:
            rule[key] = chance.random() < 0.8
    if chance.random() < 0.4:
        rule["least_part"] = chance.choice(["1/3", 0.75, 1, 0])
    if measure != "attendance" and who != "teams" and chance.random() < 0.3:
        rule["handicaps"] = {
            person_id: chance.choice(["1/20", "-1/8", 0.07, "1/3"]) for person_id in ids[:3]
        }
    return rule


def draw_counting_rule(chance: Random) -> dict[str, Any]:
    """Return which evenings count, the minimum, and the tie-breaks."""
    rule: dict[str, Any] = chance.choice(
        [
            {},
            {"best": chance.randint(1, 4)},
            {"drop_from": chance.randint(1, 3), "drop_every": chance.randint(1, 3)},
        ]
    )
    if chance.random() < 0.5:
        rule["minimum"] = chance.randint(0, 3)
    if chance.random() < 0.6:
        rule["ties"] = chance.sample(["singles", "played", "latest"], chance.randint(1, 3))
    return rule


def draw_evening(chance: Random, number: int, ids: list[str]) -> dict[str, Any]:
    """Return an evening of pairs, single players or teams, some with recorded places."""
    contest = chance.choice(["pairs", "pairs", "individual", "teams"])
    players_per_entry = {"pairs": 2, "individual": 1, "teams": 2}[contest]
    shuffled_ids = chance.sample(ids, len(ids))
    groups = [
        shuffled_ids[n : n + players_per_entry]
        for n in range(0, len(shuffled_ids) - players_per_entry + 1, players_per_entry)
    ]
    fields = chance.choice([[""], ["NS", "EW"]])
    has_places = chance.random() < 0.2
    entries = []
    for place, group in enumerate(groups):
        entry: dict[str, Any] = {
            "players": group,
            "score": chance.choice([chance.randint(-3, 3), f"{chance.randint(-9, 9)}/2", -0.5]),
        }
        if fields[place % len(fields)]:
            entry["field"] = fields[place % len(fields)]
        if contest == "teams":
            entry["team"] = f"Team {place}"
        if chance.random() < 0.3:
            entry["boards"] = chance.randint(4, 24)
        if chance.random() < 0.8:
            entry["percent"] = chance.choice([50, 61.25, "125/2"])
            entry["tricks"] = chance.randint(60, 90)
        if has_places:
            entry["place"] = place // 2 + 1
        entries.append(entry)
    return {
        "slug": f"evening-{chance.randint(0, 10**6)}-{number}",
        "date": f"2026-0{chance.randint(1, 6)}-1{chance.randint(0, 2)}",
        "boards": 24,
        "contest": contest,
        "entries": entries,
    }
