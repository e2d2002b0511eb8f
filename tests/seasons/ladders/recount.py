"""The ladders of a `whist-season/1` file, recomputed from the rules of the season only.

It imports nothing of the program, so that the two results are independent.
"""

from fractions import Fraction as F
from typing import Any


def recount_ladder(document: Any, slug: Any) -> Any:
    """Return the expected output of `season ladder SLUG/LADDER --format json` for a file."""
    rule = next(ladder for ladder in document["ladders"] if ladder["slug"] == slug)
    person = {player["id"]: player for player in document["players"]}
    values_by_subject: dict[Any, Any] = {}  # who -> [(date, slug, value or None)]
    for evening in sorted(document["evenings"], key=lambda e: (e["date"], e["slug"])):
        for who, value in list_evening_values(evening, rule, person):
            values_by_subject.setdefault(who, []).append(
                (evening["date"], evening["slug"], value)
            )
    ranked_rows, unranked_rows = [], []
    for who, values in values_by_subject.items():
        sort_key, row, missing_evening_count = compute_ladder_row(who, values, rule, person)
        if missing_evening_count > 0:
            del row["counted"]
            unranked_rows.append({**row, "needs": missing_evening_count})
        else:
            ranked_rows.append((sort_key, row))
    rows = []
    for sort_key, row in ranked_rows:
        better_count = sum(other > sort_key for other, _row in ranked_rows)
        equal_count = sum(other == sort_key for other, _row in ranked_rows)
        rows.append({"rank": better_count + 1, "tied": equal_count > 1, **row})
    return {
        "ladder": slug,
        "rows": sorted(rows, key=lambda row: (row["rank"], row["who"])),
        "unranked": sorted(unranked_rows, key=lambda row: row["who"]),
    }


def compute_ladder_row(who: Any, values: Any, rule: Any, person: Any) -> Any:
    """Return the sort key, the line, and how many evenings are lacking."""
    counting_values = [value for _day, _slug, value in values if value is not None]
    best_values = sorted(counting_values, reverse=True)[
        : count_counted_evenings(rule, len(counting_values))
    ]
    ladder_value = sum(best_values, F(0))
    if rule["combine"] == "mean":
        ladder_value = ladder_value / len(best_values) if best_values else F(0)
    names = [who] if rule["who"] == "teams" else sorted(person[p]["name"] for p in who)
    keys = {
        "singles": best_values,
        "played": [len(counting_values)],
        "latest": counting_values[-1:],
    }
    key = [[ladder_value], *(keys[tie_break] for tie_break in rule.get("ties", []))]
    row = {
        "who": names,
        "evenings": len(counting_values),
        "counted": len(best_values),
        "value": str(ladder_value),
    }
    is_signed = rule["measure"] in ("plus", "plus_a_board", "score")
    default_minimum = rule["best"] if is_signed and "best" in rule else 1
    return key, row, rule.get("minimum", default_minimum) - len(counting_values)


def count_counted_evenings(rule: Any, n: int) -> int:
    """Return how many of n evenings count."""
    if "best" in rule:
        return min(rule["best"], n)
    if "drop_from" in rule:
        return n - max(0, (n - rule["drop_from"]) // rule["drop_every"])
    return n


def list_evening_values(evening: Any, rule: Any, person: Any) -> Any:
    """Yield each person's value for one evening; None if it does not count."""
    entries = evening["entries"]
    subject_kind = rule["who"]
    if subject_kind == "pairs" and evening.get("contest", "pairs") != "pairs":
        return
    board = max((get_board_count(e, evening) for e in entries), default=0)
    min_board_share = F(rule.get("least_part", "1/2"))
    remaining_entries = [e for e in entries if not is_left_out(e, rule, person)]
    for entry in entries:
        value = compute_value(entry, remaining_entries, evening, rule)
        if rule["measure"] in ("place", "beaten") and entry not in remaining_entries:
            continue
        if get_board_count(entry, evening) < min_board_share * board:
            value = None
        for who in list_credited_subjects(entry, rule, person):
            yield who, value


def get_board_count(entry: Any, evening: Any) -> Any:
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


def list_credited_subjects(entry: Any, rule: Any, person: Any) -> Any:
    people = entry["players"]
    is_members_only = rule.get("members_only")
    if rule["who"] == "teams":
        return [entry["team"]] if entry.get("team") else []
    if rule["who"] == "pairs":
        if len(people) != 2 or (
            is_members_only and any(is_visitor(one_person, person) for one_person in people)
        ):
            return []
        return [tuple(sorted(people))]
    return [
        (one_person,)
        for one_person in people
        if not (is_members_only and is_visitor(one_person, person))
    ]


def compute_handicap(entry: Any, rule: Any) -> Any:
    handicaps = rule.get("handicaps") or {}
    mean = sum((F(handicaps.get(player, 0)) for player in entry["players"]), F(0)) / len(
        entry["players"]
    )
    hundredths = abs(mean) * 100
    whole = int(hundredths)
    if hundredths - whole >= F(1, 2):
        whole += 1
    return F(whole, 100) * (1 if mean >= 0 else -1)


def compute_strength(entry: Any, evening: Any, rule: Any) -> Any:
    if rule.get("across") or rule.get("handicaps"):
        return F(entry["score"]) / get_board_count(entry, evening) + compute_handicap(
            entry, rule
        )
    return F(entry["score"])


def compute_value(entry: Any, stay: Any, evening: Any, rule: Any) -> Any:
    measure = rule["measure"]
    h, board_count = compute_handicap(entry, rule), get_board_count(entry, evening)
    if measure == "attendance":
        return F(1)
    if measure in ("plus", "score"):
        return F(entry["score"]) + h * board_count
    if measure == "plus_a_board":
        return F(entry["score"]) / board_count + h
    if measure in ("tricks", "percent"):
        times = board_count if measure == "tricks" else 1
        return None if measure not in entry else F(entry[measure]) + h * times
    return None if entry not in stay else compute_place_points(entry, stay, evening, rule)


def compute_place_points(entry: Any, stay: Any, evening: Any, rule: Any) -> Any:
    """Return points by place, or entries beaten, within the remaining entries of its field."""

    def is_same_field(each: Any) -> bool:
        return bool(rule.get("across")) or each.get("field", "") == entry.get("field", "")

    def is_better(each: Any) -> bool:
        if has_recorded_place:
            return bool(each["place"] < entry["place"])
        return bool(
            compute_strength(each, evening, rule) > compute_strength(entry, evening, rule)
        )

    def is_level(each: Any) -> bool:
        if has_recorded_place:
            return bool(each["place"] == entry["place"])
        return bool(
            compute_strength(each, evening, rule) == compute_strength(entry, evening, rule)
        )

    has_recorded_place = "place" in entry and not rule.get("across")
    field = [item for item in stay if is_same_field(item)]
    total = sum(is_better(item) for item in field)
    same = sum(is_level(item) for item in field)
    if rule["measure"] == "beaten":
        return F(2 * (len(field) - total - same) + same - 1)
    own_place = entry["place"] if has_recorded_place else 1 + total
    place = 1 + total if rule.get("close_ranks") else own_place
    table = [F(point) for point in rule["points"]]
    shared_place_indexes = range(place - 1, place - 1 + same)
    return sum((table[item] for item in shared_place_indexes if item < len(table)), F(0)) / same
