"""The ladders of a `whist-season/1` file, recomputed from the rules of the season only.

It imports nothing of the program, so that the two results are independent.
"""

from fractions import Fraction as F
from typing import Any


def recount_ladder(document: Any, slug: Any) -> Any:
    """Return the expected output of `season ladder SLUG/LADDER --format json` for a file."""
    rule = next(ladder for ladder in document["ladders"] if ladder["slug"] == slug)
    person = {player["id"]: player for player in document["players"]}
    got: dict[Any, Any] = {}  # who -> [(date, slug, value or None)]
    for evening in sorted(document["evenings"], key=lambda e: (e["date"], e["slug"])):
        for who, value in list_evening_values(evening, rule, person):
            got.setdefault(who, []).append((evening["date"], evening["slug"], value))
    ranked, unranked = [], []
    for who, values in got.items():
        key, row, lacking = compute_line(who, values, rule, person)
        if lacking > 0:
            del row["counted"]
            unranked.append({**row, "needs": lacking})
        else:
            ranked.append((key, row))
    rows = []
    for key, row in ranked:
        total = sum(other > key for other, _row in ranked)
        same = sum(other == key for other, _row in ranked)
        rows.append({"rank": total + 1, "tied": same > 1, **row})
    return {
        "ladder": slug,
        "rows": sorted(rows, key=lambda row: (row["rank"], row["who"])),
        "unranked": sorted(unranked, key=lambda row: row["who"]),
    }


def compute_line(who: Any, values: Any, rule: Any, person: Any) -> Any:
    """Return the sort key, the line, and how many evenings are lacking."""
    counting = [value for _day, _slug, value in values if value is not None]
    best_counting = sorted(counting, reverse=True)[
        : count_evenings_that_count(rule, len(counting))
    ]
    ladder_value = sum(best_counting, F(0))
    if rule["combine"] == "mean":
        ladder_value = ladder_value / len(best_counting) if best_counting else F(0)
    names = [who] if rule["who"] == "teams" else sorted(person[p]["name"] for p in who)
    keys = {"singles": best_counting, "played": [len(counting)], "latest": counting[-1:]}
    key = [[ladder_value], *(keys[tie] for tie in rule.get("ties", []))]
    row = {
        "who": names,
        "evenings": len(counting),
        "counted": len(best_counting),
        "value": str(ladder_value),
    }
    signed = rule["measure"] in ("plus", "plus_a_board", "score")
    usual = rule["best"] if signed and "best" in rule else 1
    return key, row, rule.get("minimum", usual) - len(counting)


def count_evenings_that_count(rule: Any, n: int) -> int:
    """Return how many of n evenings count."""
    if "best" in rule:
        return min(rule["best"], n)
    if "drop_from" in rule:
        return n - max(0, (n - rule["drop_from"]) // rule["drop_every"])
    return n


def list_evening_values(evening: Any, rule: Any, person: Any) -> Any:
    """Yield each person's value for one evening; None if it does not count."""
    entries = evening["entries"]
    kind = rule["who"]
    if kind == "pairs" and evening.get("contest", "pairs") != "pairs":
        return
    board = max((get_boards(e, evening) for e in entries), default=0)
    least = F(rule.get("least_part", "1/2"))
    stay = [e for e in entries if not is_left_out(e, rule, person)]
    for entry in entries:
        value = compute_value(entry, stay, evening, rule)
        if rule["measure"] in ("place", "beaten") and entry not in stay:
            continue
        if get_boards(entry, evening) < least * board:
            value = None
        for who in list_credited(entry, rule, person):
            yield who, value


def get_boards(entry: Any, evening: Any) -> Any:
    return entry.get("boards", evening["boards"])


def is_visitor(key: Any, person: Any) -> Any:
    return not person[key]["member"]


def is_left_out(entry: Any, rule: Any, person: Any) -> Any:
    if not rule.get("close_ranks"):
        return False
    if rule["who"] == "pairs":
        return any(is_visitor(player, person) for player in entry["players"])
    if rule["who"] == "players":
        return all(is_visitor(player, person) for player in entry["players"])
    return False


def list_credited(entry: Any, rule: Any, person: Any) -> Any:
    people = entry["players"]
    only = rule.get("members_only")
    if rule["who"] == "teams":
        return [entry["team"]] if entry.get("team") else []
    if rule["who"] == "pairs":
        if len(people) != 2 or (
            only and any(is_visitor(one_person, person) for one_person in people)
        ):
            return []
        return [tuple(sorted(people))]
    return [
        (one_person,) for one_person in people if not (only and is_visitor(one_person, person))
    ]


def compute_handicap(entry: Any, rule: Any) -> Any:
    given = rule.get("handicaps") or {}
    mean = sum((F(given.get(player, 0)) for player in entry["players"]), F(0)) / len(
        entry["players"]
    )
    cents = abs(mean) * 100
    whole = int(cents)
    if cents - whole >= F(1, 2):
        whole += 1
    return F(whole, 100) * (1 if mean >= 0 else -1)


def compute_strength(entry: Any, evening: Any, rule: Any) -> Any:
    if rule.get("across") or rule.get("handicaps"):
        return F(entry["score"]) / get_boards(entry, evening) + compute_handicap(entry, rule)
    return F(entry["score"])


def compute_value(entry: Any, stay: Any, evening: Any, rule: Any) -> Any:
    measure = rule["measure"]
    h, count = compute_handicap(entry, rule), get_boards(entry, evening)
    if measure == "attendance":
        return F(1)
    if measure in ("plus", "score"):
        return F(entry["score"]) + h * count
    if measure == "plus_a_board":
        return F(entry["score"]) / count + h
    if measure in ("tricks", "percent"):
        times = count if measure == "tricks" else 1
        return None if measure not in entry else F(entry[measure]) + h * times
    return None if entry not in stay else compute_place_points(entry, stay, evening, rule)


def compute_place_points(entry: Any, stay: Any, evening: Any, rule: Any) -> Any:
    """Return points by place, or entries beaten, within the remaining entries of its field."""

    def beside(each: Any) -> bool:
        return bool(rule.get("across")) or each.get("field", "") == entry.get("field", "")

    def better(each: Any) -> bool:
        if is_placed:
            return bool(each["place"] < entry["place"])
        return bool(
            compute_strength(each, evening, rule) > compute_strength(entry, evening, rule)
        )

    def level(each: Any) -> bool:
        if is_placed:
            return bool(each["place"] == entry["place"])
        return bool(
            compute_strength(each, evening, rule) == compute_strength(entry, evening, rule)
        )

    is_placed = "place" in entry and not rule.get("across")
    field = [item for item in stay if beside(item)]
    total = sum(better(item) for item in field)
    same = sum(level(item) for item in field)
    if rule["measure"] == "beaten":
        return F(2 * (len(field) - total - same) + same - 1)
    stood = entry["place"] if is_placed else 1 + total
    place = 1 + total if rule.get("close_ranks") else stood
    table = [F(point) for point in rule["points"]]
    filled = range(place - 1, place - 1 + same)
    return sum((table[item] for item in filled if item < len(table)), F(0)) / same
