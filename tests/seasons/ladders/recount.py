"""The ladders of a `whist-season/1` file counted once more, from the rules of the year alone.

It imports nothing of the program: what both find is found twice.
"""

from fractions import Fraction as F


def recount(document, slug):
    """Return what `season ladder SLUG/LADDER --format json` has to say of a file."""
    rule = next(each for each in document["ladders"] if each["slug"] == slug)
    person = {each["id"]: each for each in document["players"]}
    got = {}  # who -> [(date, slug, value or None)]
    for evening in sorted(document["evenings"], key=lambda e: (e["date"], e["slug"])):
        for who, value in of_evening(evening, rule, person):
            got.setdefault(who, []).append((evening["date"], evening["slug"], value))
    signed = rule["measure"] in ("plus", "plus_a_board", "score")
    k = rule.get("best")
    usual = k if k is not None and signed else 1
    minimum = rule.get("minimum", usual)
    ranked, unranked = [], []
    for who, values in got.items():
        counting = [value for _day, _slug, value in values if value is not None]
        n = len(counting)
        if k is not None:
            left = min(k, n)
        elif "drop_from" in rule:
            left = n - max(0, (n - rule["drop_from"]) // rule["drop_every"])
        else:
            left = n
        best = sorted(counting, reverse=True)[:left]
        total = sum(best, F(0))
        if rule["combine"] == "mean":
            total = total / len(best) if best else F(0)
        names = [who] if isinstance(who, str) and rule["who"] == "teams" else sorted(
            person[each]["name"] for each in who
        )
        row = {"who": names, "evenings": n, "value": str(total)}
        if n < minimum:
            unranked.append({**row, "needs": minimum - n})
            continue
        key = [[total]]
        for tie in rule.get("ties", []):
            if tie == "singles":
                key.append(best)
            elif tie == "played":
                key.append([n])
            else:
                key.append(counting[-1:])
        ranked.append((key, {**row, "counted": len(best)}))
    rows = []
    for key, row in ranked:
        above = sum(other > key for other, _row in ranked)
        same = sum(other == key for other, _row in ranked)
        rows.append({"rank": above + 1, "tied": same > 1, **row})
    return {
        "ladder": slug,
        "rows": sorted(rows, key=lambda row: (row["rank"], row["who"])),
        "unranked": sorted(unranked, key=lambda row: row["who"]),
    }


def of_evening(evening, rule, person):
    """Yield who gets what of one evening; None where it does not count."""
    entries = evening["entries"]
    kind = rule["who"]
    if kind == "pairs" and evening.get("contest", "pairs") != "pairs":
        return
    most = max((boards(e, evening) for e in entries), default=0)
    least = F(rule.get("least_part", "1/2"))
    stay = [e for e in entries if not left_out(e, rule, person)]
    for entry in entries:
        value = value_of(entry, stay, evening, rule)
        if rule["measure"] in ("place", "beaten") and entry not in stay:
            continue
        if boards(entry, evening) < least * most:
            value = None
        for who in credited(entry, rule, person):
            yield who, value


def boards(entry, evening):
    return entry.get("boards", evening["boards"])


def visitor(key, person):
    return not person[key]["member"]


def left_out(entry, rule, person):
    if not rule.get("close_ranks"):
        return False
    if rule["who"] == "pairs":
        return any(visitor(each, person) for each in entry["players"])
    if rule["who"] == "players":
        return all(visitor(each, person) for each in entry["players"])
    return False


def credited(entry, rule, person):
    people = entry["players"]
    only = rule.get("members_only")
    if rule["who"] == "teams":
        return [entry["team"]] if entry.get("team") else []
    if rule["who"] == "pairs":
        if len(people) != 2 or (only and any(visitor(each, person) for each in people)):
            return []
        return [tuple(sorted(people))]
    return [(each,) for each in people if not (only and visitor(each, person))]


def handicap(entry, rule):
    given = rule.get("handicaps") or {}
    mean = sum((F(given.get(each, 0)) for each in entry["players"]), F(0)) / len(
        entry["players"]
    )
    cents = abs(mean) * 100
    whole = int(cents)
    if cents - whole >= F(1, 2):
        whole += 1
    return F(whole, 100) * (1 if mean >= 0 else -1)


def strength(entry, evening, rule):
    if rule.get("across") or rule.get("handicaps"):
        return F(entry["score"]) / boards(entry, evening) + handicap(entry, rule)
    return F(entry["score"])


def value_of(entry, stay, evening, rule):
    measure = rule["measure"]
    h, count = handicap(entry, rule), boards(entry, evening)
    if measure == "attendance":
        return F(1)
    if measure in ("plus", "score"):
        return F(entry["score"]) + h * count
    if measure == "plus_a_board":
        return F(entry["score"]) / count + h
    if measure == "tricks":
        return None if "tricks" not in entry else F(entry["tricks"]) + h * count
    if measure == "percent":
        return None if "percent" not in entry else F(entry["percent"]) + h
    if entry not in stay:
        return None
    field = [
        each
        for each in stay
        if rule.get("across") or each.get("field", "") == entry.get("field", "")
    ]
    if "place" in entry and not rule.get("across"):
        above = [each for each in field if each["place"] < entry["place"]]
        level = [each for each in field if each["place"] == entry["place"]]
        place = len(above) + 1 if rule.get("close_ranks") else entry["place"]
    else:
        mine = strength(entry, evening, rule)
        above = [each for each in field if strength(each, evening, rule) > mine]
        level = [each for each in field if strength(each, evening, rule) == mine]
        place = len(above) + 1
        if not rule.get("close_ranks"):
            everybody = [
                each
                for each in evening["entries"]
                if rule.get("across") or each.get("field", "") == entry.get("field", "")
            ]
            place = 1 + sum(strength(each, evening, rule) > mine for each in everybody)
    if measure == "beaten":
        return F(2 * (len(field) - len(above) - len(level)) + len(level) - 1)
    table = [F(each) for each in rule["points"]]
    filled = range(place - 1, place - 1 + len(level))
    return sum((table[each] for each in filled if each < len(table)), F(0)) / len(level)
