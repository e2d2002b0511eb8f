"""The data of an entry's own page after the game, and of the director's page of challenges."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from hall.models import Challenge
from scoring.models import Outcome, Result, Ruling
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.plays import EventPlays, PlayDetail, load_plays
from server import formatting
from tournaments.models import Entry, EntryLink, Event, Session
from tournaments.models.seating import SEATS
from tournaments.movements.formatting import format_table
from tournaments.place_labels import load_seat_labels, load_section_letters


@dataclass(frozen=True, slots=True)
class OwnResult:
    """One result from an entry's point of view, with its open challenge and any ruling."""

    result: int
    session: int
    round: int
    board: int
    opponents: str
    is_ns: bool
    made: int | None  # None if the board was not played
    challenge: Challenge | None  # the open challenge, if any
    is_ours: bool  # whether this side made the challenge
    counts: str = ""  # what counts after a ruling, in words; else empty
    points_won: int | None = None  # the points won, if the event counts points
    points_lost: int | None = None
    by_partner: bool = False  # whether the partner made the challenge

    @property
    def ns_tricks(self) -> int | None:
        """The tricks of North-South on this board, as on the table's score slip."""
        return self.made if self.is_ns or self.made is None else 13 - self.made

    @property
    def requested_tricks(self) -> int | None:
        """The entry's tricks according to the open challenge; None without a challenge."""
        if self.challenge is None:
            return None
        ns = self.challenge.ns_tricks
        return ns if self.is_ns else 13 - ns


@dataclass(frozen=True, slots=True)
class OwnRound:
    """One round of an entry, with its opponents and results."""

    session: int
    number: int
    opponents: str
    results: tuple[OwnResult, ...]

    @property
    def has_challenge(self) -> bool:
        """Whether any result of the round has an open challenge."""
        return any(result.challenge for result in self.results)


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One entry in the director's list of private links; `link` is the key of its link."""

    number: int
    label: str  # the label of its seat; empty without a seat
    name: str
    link: int | None
    path: str


def load_own_results(entry: Entry) -> list[OwnResult]:
    """Return an entry's results in the closed sessions of its event."""
    seats = Q()
    for seat in SEATS:
        seats |= Q(**{f"sitting__{seat}__entry": entry})
    rows = (
        Result.objects.filter(seats, sitting__section__session__state=Session.State.CLOSED)
        .exclude(outcome=Outcome.CLEARED)
        .select_related("sitting__section__session__event__terms")
        .select_related(*(f"sitting__{seat}__entry" for seat in SEATS))
        .order_by("sitting__section__session__number", "sitting__round", "board", "deal")
    )
    open_challenges = Challenge.objects.filter(result__in=rows, decided_at__isnull=True)
    challenges_by_result = {challenge.result_id: challenge for challenge in open_challenges}
    ruled_plays = _load_ruled_plays(rows)
    return [
        _build_own_result(entry, row, challenges_by_result.get(row.pk), ruled_plays.get(row.pk))
        for row in rows
    ]


def group_by_round(results: Iterable[OwnResult]) -> list[OwnRound]:
    """Group an entry's results by round."""
    rounds = groupby(
        results, key=lambda result: (result.session, result.round, result.opponents)
    )
    return [OwnRound(*key, tuple(group)) for key, group in rounds]


def list_open_challenges(event: Event) -> Iterable[Challenge]:
    """Return an event's open challenges; those that the opponents agreed with come first."""
    rows = Challenge.objects.filter(entry__event=event, decided_at__isnull=True)
    rows = rows.select_related("entry", "result__sitting")
    return sorted(rows, key=lambda challenge: (not challenge.agreed, challenge.asked_at))


def add_table_labels(
    event: Event, challenges: Iterable[Challenge]
) -> list[tuple[Challenge, str]]:
    """Return each challenge with its table's label: "13", or "A13" with several sections."""
    letters = load_section_letters(event)
    sittings = [(challenge, challenge.result.sitting) for challenge in challenges]
    return [
        (challenge, format_table(table.table, letters[table.section_id]))
        for challenge, table in sittings
    ]


def list_waiting_queries(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return the events that have open challenges, with the number annotated as
    `open_challenge_count`."""
    is_open = Q(entries__challenges__decided_at__isnull=True)
    annotated_events = events.annotate(
        open_challenge_count=Count("entries__challenges", filter=is_open)
    )
    return annotated_events.filter(open_challenge_count__gt=0).order_by("-date", "-pk")


def link_rows(event: Event, session: Session) -> list[LinkRow]:
    """Return a row for each entry of an event, labelled with its seat in the session."""
    links = EntryLink.objects.filter(entry__event=event, revoked_at__isnull=True)
    links_by_entry = {link.entry_id: link for link in links}
    seats = load_seat_labels(session)
    return [
        LinkRow(
            number=entry.number,
            label=seats.get(entry.pk, ""),
            name=entry.name,
            link=links_by_entry[entry.pk].pk if entry.pk in links_by_entry else None,
            path=links_by_entry[entry.pk].path if entry.pk in links_by_entry else "",
        )
        for entry in event.entries.all()
    ]


def _load_ruled_plays(rows: Iterable[Result]) -> dict[int, PlayDetail]:
    """Return the scored values of results with a ruling in force, by result key."""
    rulings = Ruling.objects.in_force().filter(result__in=[row.pk for row in rows])
    ruled = set(rulings.values_list("result", flat=True))
    plays_by_session: dict[int, EventPlays] = {}
    ruled_plays = {}
    for row in rows:
        if row.pk in ruled:
            session = row.sitting.section.session
            plays = plays_by_session.get(session.pk) or plays_by_session.setdefault(
                session.pk, load_plays(load_session_snapshot(session))
            )
            ruled_plays[row.pk] = plays.get_detail((row.sitting_id, row.board))
    return ruled_plays


def _format_counted_tricks(ruled_play: PlayDetail | None, is_ns: bool) -> str:
    if ruled_play is None:
        return ""
    if ruled_play.kind == "void":
        return _("Adjusted score: this board doesn’t count.")
    value = ruled_play.counts[0 if is_ns else 1]
    if value is None:
        return ""
    return _("Adjusted score: %(tricks)s.") % {"tricks": formatting.format_plain(value)}


def _build_own_result(
    entry: Entry, row: Result, challenge: Challenge | None, ruled_play: PlayDetail | None
) -> OwnResult:
    sitting = row.sitting
    ns, ew = (sitting.north, sitting.south), (sitting.east, sitting.west)
    is_ns = entry.pk in [place.entry_id for place in ns]
    ours, theirs = (ns, ew) if is_ns else (ew, ns)
    challenger = challenge.entry_id if challenge else None
    is_own_challenge = challenger is not None and challenger in [
        place.entry_id for place in ours
    ]
    opponents = dict.fromkeys(place.entry.name for place in theirs if place.entry)
    return OwnResult(
        result=row.pk,
        session=sitting.section.session.number,
        round=sitting.round,
        board=row.board,
        opponents=" & ".join(opponents),
        is_ns=is_ns,
        made=row.ns_tricks if is_ns else row.ew_tricks,
        challenge=challenge,
        is_ours=is_own_challenge,
        by_partner=is_own_challenge and challenger != entry.pk,
        counts=_format_counted_tricks(ruled_play, is_ns),
        points_won=row.ns_points if is_ns else row.ew_points,
        points_lost=row.ew_points if is_ns else row.ns_points,
    )
