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
from tournaments.place_labels import load_place_labels_by_entry, load_section_letters


@dataclass(frozen=True, slots=True)
class EntryResult:
    """One result from an entry's point of view, with its open challenge and any ruling."""

    result_pk: int
    session_number: int  # the number of the session
    round_number: int
    board_number: int
    opponents: str
    is_ns: bool
    own_tricks: int | None  # None if the board was not played
    challenge: Challenge | None  # the open challenge, if any
    is_challenged_by_own_side: bool
    counted_text: str = ""  # the score after a ruling, in words; else empty
    points_won: int | None = None  # the points won, if the event counts points
    points_lost: int | None = None
    is_challenged_by_partner: bool = False

    @property
    def ns_tricks(self) -> int | None:
        """The tricks of North-South on this board, as on the table's score slip."""
        if self.is_ns or self.own_tricks is None:
            return self.own_tricks
        return 13 - self.own_tricks

    @property
    def requested_tricks(self) -> int | None:
        """The entry's tricks according to the open challenge; None if there is none."""
        if self.challenge is None:
            return None
        ns_tricks = self.challenge.ns_tricks
        return ns_tricks if self.is_ns else 13 - ns_tricks


@dataclass(frozen=True, slots=True)
class EntryRound:
    """One round of an entry, with the opponents and the results."""

    session_number: int
    round_number: int
    opponents: str
    results: tuple[EntryResult, ...]

    @property
    def has_challenge(self) -> bool:
        """Whether any result of the round has an open challenge."""
        return any(result.challenge for result in self.results)


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A row in the director's list of private links: an entry and its link."""

    entry_number: int
    seat_label: str  # the label of the entry's seat; empty without a seat
    name: str
    link_pk: int | None  # None if the entry has no link
    path: str


def load_entry_results(entry: Entry) -> list[EntryResult]:
    """Return an entry's results in the closed sessions of its event."""
    seat_condition = Q()
    for seat in SEATS:
        seat_condition |= Q(**{f"sitting__{seat}__entry": entry})
    results = (
        Result.objects.filter(
            seat_condition, sitting__section__session__state=Session.State.CLOSED
        )
        .exclude(outcome=Outcome.CLEARED)
        .select_related("sitting__section__session__event__terms")
        .select_related(*(f"sitting__{seat}__entry" for seat in SEATS))
        .order_by("sitting__section__session__number", "sitting__round", "board", "deal")
    )
    open_challenges = Challenge.objects.filter(result__in=results, decided_at__isnull=True)
    challenges_by_result = {challenge.result_id: challenge for challenge in open_challenges}
    ruled_plays_by_result = _load_ruled_plays(results)
    return [
        _build_entry_result(
            entry,
            result,
            challenges_by_result.get(result.pk),
            ruled_plays_by_result.get(result.pk),
        )
        for result in results
    ]


def group_by_round(results: Iterable[EntryResult]) -> list[EntryRound]:
    """Group an entry's results by round."""
    results_by_round = groupby(
        results,
        key=lambda result: (result.session_number, result.round_number, result.opponents),
    )
    return [
        EntryRound(*round_key, tuple(round_results))
        for round_key, round_results in results_by_round
    ]


def list_open_challenges(event: Event) -> Iterable[Challenge]:
    """Return an event's open challenges; those that the opponents agreed with come first."""
    challenges = Challenge.objects.filter(entry__event=event, decided_at__isnull=True)
    challenges = challenges.select_related("entry", "result__sitting")
    return sorted(challenges, key=lambda challenge: (not challenge.agreed, challenge.asked_at))


def add_table_labels(
    event: Event, challenges: Iterable[Challenge]
) -> list[tuple[Challenge, str]]:
    """Return each challenge with its table's label: "13", or "A13" with several sections."""
    letters_by_section = load_section_letters(event)
    challenges_and_sittings = [
        (challenge, challenge.result.sitting) for challenge in challenges
    ]
    return [
        (challenge, format_table(sitting.table, letters_by_section[sitting.section_id]))
        for challenge, sitting in challenges_and_sittings
    ]


def filter_events_with_open_challenges(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return the events with open challenges, annotated with `open_challenge_count`."""
    is_open = Q(entries__challenges__decided_at__isnull=True)
    annotated_events = events.annotate(
        open_challenge_count=Count("entries__challenges", filter=is_open)
    )
    return annotated_events.filter(open_challenge_count__gt=0).order_by("-date", "-pk")


def build_link_rows(event: Event, session: Session) -> list[LinkRow]:
    """Return a row for each entry of an event, labelled with its seat in the session."""
    entry_links = EntryLink.objects.filter(entry__event=event, revoked_at__isnull=True)
    links_by_entry = {entry_link.entry_id: entry_link for entry_link in entry_links}
    place_labels_by_entry = load_place_labels_by_entry(session)
    return [
        LinkRow(
            entry_number=entry.number,
            seat_label=place_labels_by_entry.get(entry.pk, ""),
            name=entry.name,
            link_pk=links_by_entry[entry.pk].pk if entry.pk in links_by_entry else None,
            path=links_by_entry[entry.pk].path if entry.pk in links_by_entry else "",
        )
        for entry in event.entries.all()
    ]


def _load_ruled_plays(results: Iterable[Result]) -> dict[int, PlayDetail]:
    """Return the values that count for results with a ruling, by the result's primary key."""
    rulings = Ruling.objects.exclude_withdrawn().filter(
        result__in=[result.pk for result in results]
    )
    ruled_result_pks = set(rulings.values_list("result", flat=True))
    plays_by_session: dict[int, EventPlays] = {}
    ruled_plays_by_result = {}
    for result in results:
        if result.pk in ruled_result_pks:
            session = result.sitting.section.session
            event_plays = plays_by_session.get(session.pk) or plays_by_session.setdefault(
                session.pk, load_plays(load_session_snapshot(session))
            )
            ruled_plays_by_result[result.pk] = event_plays.get_play_detail(
                (result.sitting_id, result.board)
            )
    return ruled_plays_by_result


def _format_counted_tricks(ruled_play: PlayDetail | None, is_ns: bool) -> str:
    if ruled_play is None:
        return ""
    if ruled_play.ruling_kind == "void":
        return _("Adjusted score: this board doesn’t count.")
    counted_tricks = ruled_play.counted_tricks[0 if is_ns else 1]
    if counted_tricks is None:
        return ""
    return _("Adjusted score: %(tricks)s.") % {
        "tricks": formatting.format_plain(counted_tricks)
    }


def _build_entry_result(
    entry: Entry, result: Result, challenge: Challenge | None, ruled_play: PlayDetail | None
) -> EntryResult:
    sitting = result.sitting
    ns_places, ew_places = (sitting.north, sitting.south), (sitting.east, sitting.west)
    is_ns = entry.pk in [place.entry_id for place in ns_places]
    own_places, opponent_places = (ns_places, ew_places) if is_ns else (ew_places, ns_places)
    challenging_entry_pk = challenge.entry_id if challenge else None
    is_challenged_by_own_side = challenging_entry_pk is not None and challenging_entry_pk in [
        place.entry_id for place in own_places
    ]
    opponent_names = dict.fromkeys(place.entry.name for place in opponent_places if place.entry)
    return EntryResult(
        result_pk=result.pk,
        session_number=sitting.section.session.number,
        round_number=sitting.round,
        board_number=result.board,
        opponents=" & ".join(opponent_names),
        is_ns=is_ns,
        own_tricks=result.ns_tricks if is_ns else result.ew_tricks,
        challenge=challenge,
        is_challenged_by_own_side=is_challenged_by_own_side,
        is_challenged_by_partner=is_challenged_by_own_side and challenging_entry_pk != entry.pk,
        counted_text=_format_counted_tricks(ruled_play, is_ns),
        points_won=result.ns_points if is_ns else result.ew_points,
        points_lost=result.ew_points if is_ns else result.ns_points,
    )
