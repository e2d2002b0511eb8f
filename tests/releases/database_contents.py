"""The contents of a database: recomputed standings, event files, and undoable acts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.test import Client

import hall.history.undo
from boards.whist import WhistError
from clubs import audit
from clubs.models import Act, Club
from exchange.eventfile.exporter import export_event
from scoring.models import Ranking
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.standings_export import build_standings_data
from scoring.standings_engine import standings
from server.models import User
from tests import acts
from tournaments.models import Event


@contextmanager
def roll_back_afterwards() -> Iterator[None]:
    """Roll back everything that is done in the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def list_events() -> list[Event]:
    return list(Event.objects.select_related("club").order_by("pk"))


def list_clubs() -> list[Club]:
    return list(Club.objects.order_by("pk"))


def recompute_standings() -> dict[str, Any]:
    """Compute every event's standings from its results only, by slug."""
    standings_data = {}
    with roll_back_afterwards():
        Ranking.objects.all().delete()
        for event in list_events():
            standings.update_standings(event)
            standings_data[event.slug] = build_standings_data(
                load_rank_table(event, should_include_hidden_results=True)
            )
    return standings_data


def drop_changed_ranks(then: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of stored ranks that must not change: everything but two things.

    No entry leads an unfinished event in which others have played more or fewer boards. Entries
    that sat on both sides no longer rank apart from those that sat on one: the whole section is
    one ranking.
    """
    stable_parts = dict(then)
    if not stable_parts["complete"]:
        del stable_parts["overall_winner"]
    if {ranking["field"] for ranking in stable_parts["rankings"]} > {None}:
        stable_parts["rankings"] = [
            rank_sections_together(
                stable_parts["rankings"], is_complete=stable_parts["complete"]
            )
        ]
    return stable_parts


def rank_sections_together(
    rankings: Sequence[dict[str, Any]], *, is_complete: bool
) -> dict[str, Any]:
    """Rank the entries of one section together by their scores, equals by number.

    The result has no rows if the entries of an event in play have unequal numbers of boards:
    percentages rank them, which the stored ranks of the sides don't contain.
    """
    rows = sorted(
        (row for ranking in rankings for row in ranking["rows"]),
        key=lambda row: (-Fraction(row["score"]), row["entry"]),
    )
    if not is_complete and len({row["boards"] for row in rows}) > 1:
        return {"section": rankings[0]["section"]}
    scores = [Fraction(row["score"]) for row in rows]
    ranked_rows = [
        row | {"rank": scores.index(score) + 1, "tied": scores.count(score) > 1}
        for row, score in zip(rows, scores, strict=True)
    ]
    return dict(rankings[0]) | {"field": None, "rows": ranked_rows}


def export_event_files() -> dict[str, Any]:
    """Export every event with its deals, by slug."""
    return {
        event.slug: export_event(event, should_include_deals=True) for event in list_events()
    }


def list_undoable_acts(
    candidate_acts: Sequence[Sequence[object]] | None = None,
) -> list[list[Any]]:
    """Undo every act that can be undone: whose, which one, and what it was.

    Each is undone on its own, from the database as it is; the acts of an event or a club are
    counted from its first. A refusal with a message is no fault: such an act is kept.
    `candidate_acts` restricts the acts, in the form of the return value; without it all are
    tried.
    """
    candidate_keys = (
        None if candidate_acts is None else [list(act_key) for act_key in candidate_acts]
    )
    return [
        act_key
        for subject, rows in list_histories()
        for place, act in enumerate(rows)
        for act_key in [[subject.slug, place, act.action]]
        if (candidate_keys is None or act_key in candidate_keys) and is_undoable(act, subject)
    ]


def list_histories() -> list[tuple[Event | Club, list[Act]]]:
    """Return the acts of each event, and of each club those not about its events."""
    actual: list[tuple[Event | Club, list[Act]]] = [
        (event, list(audit.list_acts(event).order_by("pk"))) for event in list_events()
    ]
    act_pks = [act.pk for _event, rows in actual for act in rows]
    for club in list_clubs():
        rows = Act.objects.filter(club=club.slug).exclude(pk__in=act_pks)
        actual.append((club, list(rows.order_by("pk"))))
    return actual


def find_owner(club: Club) -> User:
    """Return the login with all rights in a club."""
    return club.memberships.select_related("user").get(role="owner").user


def is_undoable(act: Act, subject: Event | Club) -> bool:
    owner = find_owner(subject if isinstance(subject, Club) else subject.club)
    if not act.back.get("call") or Act.objects.filter(undoes=act).exists():
        return False
    if isinstance(subject, Club) and act.about != subject.audit_key:
        return False  # of a drive, a night or a season: see `year_contents`
    with roll_back_afterwards():
        try:
            if isinstance(subject, Event):
                acts.undo_act(act, subject, owner)
            else:
                hall.history.undo.undo_club_act(club=subject, act=act, by=owner)
        except WhistError:
            return False
        assert Act.objects.filter(undoes=act).count() == 1
        return True


def is_covered(now: Any, then: Any) -> bool:
    """Return whether all old data is in the new data, which may have more."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(
            key in now and is_covered(now[key], value) for key, value in then.items()
        )
    if isinstance(then, list):
        return (
            isinstance(now, list)
            and len(now) == len(then)
            and all(is_covered(*pair) for pair in zip(now, then, strict=True))
        )
    return bool(now == then)


def create_client(login_name: str) -> Client:
    """Return a client of a visitor; server errors become responses and not exceptions."""
    client = Client(raise_request_exception=False)
    if login_name == "owner":
        client.force_login(find_owner(list_clubs()[0]))
    elif login_name != "anybody":
        client.force_login(User.objects.get(username=login_name))
    return client
