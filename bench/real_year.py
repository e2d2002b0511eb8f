"""A club's year put in through pages and phones, and its ladders counted once more by itself.

    python -m bench.real_year [--weeks 52] [--seed 1]

Fifty-two evenings of pairs, single players, teams and whist drives are typed into the forms of
the site, by a director and at the tables' phones, with late pairs, substitutes, rulings,
corrections after the close, visitors and hidden people. What was typed is kept here, scored
here by the rules as they stand written (plus and minus against the mean of a board, adjusted
boards left out, penalties taken off), and given to the recount of ladders that the tests have,
which imports nothing of the program. Holds (exit 0) when every line of every ladder is equal
and no hidden name stands on any page of the season that everybody may open.
"""

import argparse
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

from bench.real_year_recount import LADDERS, PEOPLE, VISITORS, Evening, Seat, compared

FIRST = date(2025, 9, 2)
HIDDEN = {"Yves York": "nobody", "Zoe Zell": "initials"}


class Club:
    """The club's director and its tables' phones, who know nothing but pages."""

    def __init__(self, chance: Random) -> None:
        from django.test import Client

        self.chance, self.did = chance, Counter[str]()
        self.described: set[str] = set()
        self.desk, self.phone = Client(), Client()

    def forms(self, path: str, client: Any = None) -> list[Any]:
        """The forms of a page as a browser would send them untouched."""
        from tests.releases.forms import forms

        answer = (client or self.desk).get(path, follow=True)
        assert answer.status_code == 200, (path, answer.status_code)
        found = []
        for each in forms(answer.request["PATH_INFO"], answer.content.decode()):
            if each.method == "post" and each.path not in ("/logout/", "/scheme/"):
                typed = set(each.typed)
                each.sent = {
                    key: "" if value == "on" and key in typed else value
                    for key, value in each.sent.items()
                }
                found.append(each)
        return found

    def use(
        self, path: str, has: Sequence[str], values: dict[str, Any], client: Any = None
    ) -> Any:
        """Fill the form of a page that has these fields, and send it."""
        found = [each for each in self.forms(path, client) if set(has) <= set(each.sent)]
        assert found, f"{path} has no form with {has}"
        return self.send(found[0].path, found[0].sent | values, client)

    def send(self, path: str, values: dict[str, Any], client: Any = None) -> Any:
        """Send a form; what is refused is a mistake of this script."""
        answer = (client or self.desk).post(path, values, follow=True)
        assert answer.status_code < 400, (path, values, told(answer))
        return answer


def told(answer: Any) -> str:
    """What an answer complains of, without its frame."""
    text = re.sub(r"<(script|style|nav)\b.*?</\1>", "", answer.content.decode(), flags=re.S)
    found = re.search(r'role="alert".{0,600}', text, re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", found[0] if found else text).split())[:400]


def main() -> int:
    """Put the year in, count again, and say what differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--weeks", type=int, default=52)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _installed(folder)
        club = _begun(Random(options.seed))
        year = [_evening(club, week) for week in range(options.weeks)]
        _describe_people(club)
        differing = compared(year)
        seen = _hidden_names()
    print(", ".join(f"{count} {what}" for what, count in sorted(club.did.items())))
    print(f"{len(year)} evenings, {len(LADDERS)} ladders: {differing} lines differ")
    print(f"hidden names on pages of the season: {seen}")
    return 1 if differing or seen else 0


def _installed(folder: str) -> None:
    os.environ |= {
        "DATA_DIR": folder,
        "BACKUP_BY_ITSELF": "no",
        "SECRET_KEY": "only for this " * 5,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    settings.CELERY_TASK_ALWAYS_EAGER = True
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    setup_test_environment(debug=False)
    call_command("migrate", verbosity=0)


def _begun(chance: Random) -> Club:
    """A club with its people, a season and its ladders, all typed into pages."""
    import clubs.services
    from server.models import User

    user = User.objects.create_user("director", password="x")
    clubs.services.create_club(name="Riverside", owner=user, by=user)
    club = Club(chance)
    club.desk.force_login(user)
    last = FIRST + timedelta(days=364)
    days = {"first_day": FIRST.isoformat(), "last_day": last.isoformat()}
    asked = {"name": "The Year", "ladders": "best", "act": "begin", **days}
    club.use("/director/seasons/", ["ladders"], asked)
    new = "/director/seasons/the-year/new-ladder/"
    for name, rule in LADDERS.items():
        typed = {key: value for key, value in rule.items() if not isinstance(value, bool)}
        typed |= {key: "on" for key, value in rule.items() if value is True}
        if "points" in rule:
            typed["points"] = "-".join(rule["points"])
        every = ["pairs", "individual", "teams", "drive"]
        club.send(new, {"name": name, "contests": every, **typed})
    return club


def _evening(club: Club, week: int) -> Evening:
    day = FIRST + timedelta(weeks=week)
    if week % 13 == 5:
        return _drive(club, day)
    contest = "individual" if week % 9 == 4 else "teams" if week % 11 == 7 else "pairs"
    return _event(club, day, contest, week)


def _event(club: Club, day: date, contest: str, week: int) -> Evening:
    club.did[f"evenings of {contest}"] += 1
    method = {"teams": "tricks"}.get(contest, "plus_minus")
    asked = {"name": f"Week {week}", "date": day.isoformat(), "contest": contest}
    answer = club.use("/director/events/new/", ["contest"], asked | {"method": method})
    base = answer.redirect_chain[-1][0].removesuffix("entries/")
    evening = Evening(base.split("/")[-2], contest, day)
    _enter(club, evening, base)
    _seat(club, evening, base)
    club.send(f"{base}session/open/", {})
    evening.seats = _seats(club, evening)
    for number in range(1, max(seat.round for seat in evening.seats) + 1):
        if number == 2:
            _happen(club, evening, base, week)
        for seat in [each for each in evening.seats if each.round == number]:
            for board in seat.boards:
                _result(club, evening, base, seat, board, by_phone=week % 4 == 1)
    _end(club, evening, base, week)
    return evening


def _end(club: Club, evening: Evening, base: str, week: int) -> None:
    """Rulings, the close, and what is put right after it."""
    if evening.contest != "teams" and week % 3 == 0:
        _rule(club, evening, base)
    club.send(f"{base}session/close/", {})
    if evening.contest != "teams" and week % 7 == 6:
        _correct(club, evening, base)


def _happen(club: Club, evening: Evening, base: str, week: int) -> None:
    """What comes between the first round and the second."""
    if evening.contest == "pairs" and week % 5 == 2:
        _come_late(club, evening, base)
    if evening.contest != "teams" and week % 6 == 3:
        _substitute(club, evening, base)


def _enter(club: Club, evening: Evening, base: str) -> None:
    each = {"pairs": 2, "individual": 1, "teams": 4}[evening.contest]
    count = {"pairs": club.chance.choice((5, 6, 6, 7, 8)), "individual": 8, "teams": 4}
    here = club.chance.sample(PEOPLE, each * count[evening.contest])
    rows = [here[at : at + each] for at in range(0, len(here), each)]
    pasted = "\n".join(", ".join(row) for row in rows)
    club.use(f"{base}entries/", ["text"], {"text": pasted, "how": "pasted"})
    evening.names = dict(enumerate(rows, start=1))
    _describe_people(club)


def _describe_people(club: Club) -> None:
    """Who visits, and who is hidden: on the page of each, once they are known."""
    listed = club.desk.get("/director/players/").content.decode()
    keys = set(re.findall(r"/director/players/(\d+)/\"", listed))
    for key in sorted(keys - club.described):
        club.described.add(key)
        path = f"/director/players/{key}/"
        (form, *_rest) = [each for each in club.forms(path) if "kind" in each.sent]
        name = form.sent["name"]
        values = {"kind": "visitor"} if name in VISITORS else {}
        values |= {"shown": HIDDEN[name]} if name in HIDDEN else {"shown": "name"}
        club.send(path, form.sent | values)


def _seat(club: Club, evening: Evening, base: str) -> None:
    offered = [each for each in club.forms(f"{base}movement/") if "options" in each.sent]
    usual = [
        each
        for each in offered
        if evening.contest != "pairs" or each.sent["name"] in ("compass", "howell")
    ]
    chosen = club.chance.choice(usual or offered)
    club.did[f"seated by {chosen.sent['name']}"] += 1
    club.send(chosen.path, chosen.sent | {"boards_a_round": "2"})


def _seats(club: Club, evening: Evening) -> list[Seat]:
    path = f"/api/events/{evening.slug}/sessions/1/sittings/?page_size=200"
    found = []
    while path:
        read = club.desk.get(path).json()
        found += [
            Seat(
                row["id"],
                row["round"],
                row["table"],
                row["boards"],
                row["ns"]["entries"],
                row["ew"]["entries"],
            )
            for row in read["results"]
            if row["played"]
        ]
        path = read["next"]
    return sorted(found, key=lambda each: (each.round, each.table))


def _come_late(club: Club, evening: Evening, base: str) -> None:
    here = {name for names in evening.names.values() for name in names}
    two = [name for name in PEOPLE if name not in here][:2]
    query = f"kind=late&player1={two[0]}&player2={two[1]}&from_round=2"
    offered = club.desk.get(f"{base}change/?{query}").content.decode()
    ways = re.findall(r'name="way" value="([\w-]+)"', offered)
    if not ways:
        return
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', offered)
    club.send(f"{base}change/", dict(hidden) | {"way": ways[0]})
    club.did["late pairs"] += 1
    evening.names[max(evening.names) + 1] = two
    evening.seats = _seats(club, evening)


def _substitute(club: Club, evening: Evening, base: str) -> None:
    """Somebody else sits in from now on: from here the entry is theirs."""
    here = {name for names in evening.names.values() for name in names}
    number = club.chance.choice(list(evening.names))
    names = list(evening.names[number])
    names[-1] = next(name for name in reversed(PEOPLE) if name not in here)
    typed = {f"player{at}": name for at, name in enumerate(names, start=1)}
    club.use(f"{base}entries/{number}/", ["player1"], typed)
    evening.names[number] = names
    club.did["substitutes"] += 1


def _result(
    club: Club, evening: Evening, base: str, seat: Seat, board: int, *, by_phone: bool
) -> None:
    tricks = min(13, max(0, round(club.chance.gauss(6.5, 2.5))))
    play = {"sitting": str(seat.id), "board": str(board)}
    if by_phone and _by_phone(club, base, seat, play, tricks):
        club.did["results by phone"] += 1
    else:
        club.send(f"{base}result/", play | {"value": str(tricks)})
        club.did["results typed"] += 1
    evening.tricks[seat.id, board] = tricks


def _by_phone(club: Club, base: str, seat: Seat, play: dict[str, str], tricks: int) -> bool:
    """Enter at the table's phone for North-South, and let East-West agree."""
    path = _table_address(club, base, seat.table)
    for form in club.forms(path, club.phone):
        if form.sent.get("act") == "enter" and form.sent.items() >= play.items():
            club.send(path, form.sent | {"value": str(tricks)}, club.phone)
            agreed = [
                each
                for each in club.forms(path, club.phone)
                if each.sent.get("act") == "confirm" and each.sent.items() >= play.items()
            ]
            for each in agreed[:1]:
                club.send(path, each.sent, club.phone)
                club.did["agreed by the other side"] += 1
            return True
    return False


def _table_address(club: Club, base: str, table: int) -> str:
    page = club.desk.get(f"{base}tables/").content.decode()
    if "/code/" not in page:
        club.send(f"{base}tables/make/", {})
        page = club.desk.get(f"{base}tables/").content.decode()
    codes = re.findall(r"/tables/(\d+)/code/", page)
    code = list(dict.fromkeys(codes))[table - 1]
    shown = club.desk.get(f"{base}tables/{code}/code/").content.decode()
    return re.findall(r"/t/[\w-]+/", shown)[0]


def _rule(club: Club, evening: Evening, base: str) -> None:
    """A penalty, and a board that counts as the average."""
    from tournaments.models import Entry

    number = club.chance.choice(list(evening.names))
    entry = Entry.objects.get(event__slug=evening.slug, number=number)
    given = {"entry": str(entry.pk), "amount": "2", "law": "VI §1", "reason": "looked on"}
    club.use(f"{base}rulings/", ["amount"], given)
    evening.penalties[number] += 2
    sitting, board = club.chance.choice(list(evening.tricks))
    path = f"{base}rulings/play/?sitting={sitting}&board={board}"
    (form, *_rest) = [each for each in club.forms(path) if "revokes" in each.sent]
    blank = dict.fromkeys(("side", "won_before", "claimed", "ns_tricks", "ew_tricks"), "")
    sent = form.sent | blank | {"kind": "average", "law": "V §2", "reason": "a card was shown"}
    club.send(form.path, sent | dict.fromkeys(("trump_recorded", "trump_turned"), ""))
    evening.tricks[sitting, board] = None
    club.did["rulings"] += 2


def _correct(club: Club, evening: Evening, base: str) -> None:
    plays = [play for play, tricks in evening.tricks.items() if tricks is not None]
    sitting, board = club.chance.choice(plays)
    was = evening.tricks[sitting, board]
    assert was is not None
    tricks = was + 1 if was < 13 else 0
    values = {"sitting": str(sitting), "board": str(board), "value": str(tricks)}
    club.send(f"{base}result/", values | {"seen": str(was)})
    evening.tricks[sitting, board] = tricks
    club.did["corrections after the close"] += 1


def _drive(club: Club, day: date) -> Evening:
    club.did["evenings of drive"] += 1
    here = club.chance.sample(PEOPLE, 16)
    asked = {
        "names": "\n".join(here),
        "form": "social",
        "name": "Drive",
        "date": day.isoformat(),
    }
    answer = club.use("/director/drives/new/", ["names"], asked | {"rounds": "2", "hands": "4"})
    base = answer.redirect_chain[-1][0]
    evening = Evening(base.split("/")[-2], "drive", day)
    for number, name in enumerate(here, start=1):
        total = club.chance.randint(30, 70)
        club.use(
            f"{base}totals/", ["number", "total"], {"number": str(number), "total": str(total)}
        )
        evening.totals[name] = total
    (form, *_rest) = [each for each in club.forms(f"{base}closing/") if "/close/" in each.path]
    club.send(form.path, form.sent | {"anyway": "1"})
    return evening


def _hidden_names() -> int:
    """How often a hidden name stands on what everybody may open of the season."""
    from django.test import Client

    visitor, found = Client(), 0
    base = "/clubs/riverside/"
    paths = [base, f"{base}seasons/the-year/", f"{base}records/", f"{base}feed.xml"]
    paths += [f"{base}seasons/the-year/{name.lower()}/" for name in LADDERS]
    paths += [f"{base}seasons/the-year/{name.lower()}/csv/" for name in LADDERS]
    for path in paths:
        answer = visitor.get(path)
        assert answer.status_code == 200, path
        text = answer.content.decode()
        found += sum(text.count(name) for name in HIDDEN)
    return found


if __name__ == "__main__":
    sys.exit(main())
