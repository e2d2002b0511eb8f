"""Swiss rounds: drawn from the scores, undone, redrawn, or kept after a correction."""

import secrets
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import tournaments.services.swiss
from clubs.audit import Actor
from scoring.errors import StageRefused
from scoring.reckoning.drawn_before import history_before, history_of
from scoring.reckoning.knockouts import Bracket, bracket_of, knockout_of
from scoring.reckoning.lines import EventRows, counted, read, rounds_of
from scoring.reckoning.order import tags_of
from scoring.reckoning.scores import score
from scoring.reckoning.seats import seats_of
from scoring.services.changes import rounds_with_scores, undo_change
from scoring.services.knockouts import is_seated
from scoring.services.locking import lock_session
from scoring.services.recomputing import recompute_later
from scoring.services.strays import leave_out_met_boards
from scoring.services.terms import settle_scoring, terms_of
from tournaments.errors import NotNow
from tournaments.models import Event, SeatingChange, Section, Session, Sitting
from tournaments.movements import Contest
from tournaments.seating_snapshot import load_movement_in_play
from tournaments.services.groundwork.rounds import record_draw_decision, seat_round
from tournaments.services.swiss import build_entry_data, map_places_by_number
from tournaments.swiss import rounds
from tournaments.swiss.plan import DrawWishes, SwissPlan, read_plan

TIE_BREAKS = ("corrected", "met", "boards_won")
"""The tie-breaks of equal totals; never the largest margins (no reward for a blow-out)."""
NORTH_SOUTH, OF_A_CLUB = "north-south", "club "
"""Tags of an entry that prefers to sit N-S, and of one that comes from a club."""
LONG_EVENT = 48
"""The number of boards from which the corrected total decides by default."""


@transaction.atomic
def seat_swiss(
    *,
    session: Session,
    plan: SwissPlan,
    boards_a_round: int,
    copies: int = 1,
    method: str = "",
    by_corrected: bool | None = None,
    seed: str = "",
    couples: Sequence[tuple[int, int]] = (),
    threes: Sequence[tuple[int, int, int]] = (),
    by: Actor,
) -> Section:
    """Set up a Swiss evening: its plan, its first round and its scoring.

    By default net tricks decide, or the given `method` (victory points). From 48 boards on the
    corrected total decides, unless `by_corrected` is given. Sit-outs count as the field's
    average, so every entry is ranked by its whole score. Raises SeatingRefused and
    UnknownMethod.
    """
    event = Event.objects.select_related("terms").get(pk=session.event_id)  # the current row
    numbers = set(event.entries.values_list("number", flat=True))
    section = tournaments.services.swiss.seat_swiss(
        session=session,
        plan=plan,
        history=history_before(session, read(event), numbers),
        boards_a_round=boards_a_round,
        copies=copies,
        seed=seed,
        couples=couples,
        threes=threes,
        wishes=wishes_of(event),
        by=by,
    )
    is_long = plan.rounds * boards_a_round >= LONG_EVENT
    usual = "tricks" if event.contest == "teams" else "plus_minus"
    settle_scoring(
        event=event,
        **(kept := terms_of(event))
        | {
            "method": method or usual,
            "tie_breaks": list(TIE_BREAKS),
            "unequal_boards": "sums",
            "by_corrected": is_long if by_corrected is None else by_corrected,
            "whole_averages": False,
            "across": [each for each in kept["across"] if each != session.number],
        },
        by=by,
    )
    return section


@transaction.atomic
def draw_round(
    *, section: Section, round_: int, anyway: bool = False, seed: str = "", by: Actor
) -> SeatingChange | None:
    """Draw the next round of a Swiss section; idempotent, also for two scorers at once.

    Returns the draw of that round, also if it was drawn before; None for the first round, which
    is drawn with the seats. It is refused while results on which the draw depends are missing,
    unless `anyway` is true. Raises NotNow.
    """
    lock_session(section.session_id)  # wait for a score that is being entered
    section.refresh_from_db(fields=["tables", "rounds"])  # another user may have drawn it
    plan = _plan(section)
    if round_ <= section.rounds:
        return draw_of(section, round_)
    _check_turn(section, plan, round_)
    rows = read(section.session.event)
    if not anyway:
        _refuse_missing(section, rows, _counts_until(plan, round_))
    data = _input(section, plan, round_, rows, seed or secrets.token_hex(8))
    if sum(not each.get("left") for each in data["entries"]) < 2:
        raise NotNow(_("Fewer than two play on, so no round can be drawn: close the session."))
    record = (
        _knocked(section, plan, round_, data) if plan.knockout else rounds.draw_from_data(data)
    )
    booked = section.sittings.aggregate(most=Max("board_group"))["most"] or 0
    made = seat_round(
        section=section,
        round_=round_,
        meetings=rounds.build_meetings(
            record, map_places_by_number(section), plan=plan, round_=round_, booked=booked
        ),
        record=record,
        by=by,
    )
    leave_out_met_boards(section)
    recompute_later(section.session.event)
    return made


def draw_of(section: Section, round_: int) -> SeatingChange | None:
    """Return the draw of a round in force; the second half of a match has that of the first."""
    plan = read_plan(section.options)
    if plan is not None:
        round_ = plan.first_of(plan.drawn_in(round_))
    drawn = section.session.changes.filter(
        undone_at=None, what__kind="drawn", what__round=round_, before__letter=section.letter
    )
    return drawn.first()


def corrected_since(change: SeatingChange) -> dict[str, Any] | None:
    """Return the last draw as it would be from the current scores; None if it is the same.

    Also None once the director has decided to keep the draw, until the scores change again.
    """
    section = change.session.sections.get(letter=change.before["letter"])
    round_, kept, plan = change.what["round"], change.what["draw"], _plan(section)
    is_last = section.rounds == round_ + plan.halves - 1
    if change.undone_at is not None or not is_last or "knockout" in kept:
        return None
    rows = read(change.session.event)
    scores = scores_until(section, rows, _counts_until(plan, round_))
    data = kept["input"] | {
        "entries": [
            each | {"score": _text(scores.get(each["id"], Fraction()))}
            for each in kept["input"]["entries"]
        ]
    }
    found = rounds.draw_from_data(data) if data != kept["input"] else None
    if found is None or found["sha256"] == change.what.get("answered"):
        return None
    return found


def is_followed(change: SeatingChange) -> bool:
    """Return whether seats were changed after a draw, so that it cannot be undone first."""
    return change.session.changes.filter(undone_at=None).first() != change


@transaction.atomic
def redraw(*, change: SeatingChange, by: Actor) -> SeatingChange | None:
    """Draw a round again from the current scores, with the same seed.

    Raises NotNow once a board of the round is scored.
    """
    lock_session(change.session_id)
    section = change.session.sections.get(letter=change.before["letter"])
    round_ = change.what["round"]
    if rounds_with_scores(section) >= round_:
        raise NotNow(
            _("Round %(round)s has scores already, so its draw stands.") % {"round": round_}
        )
    undo_change(change=change, by=by)
    section.refresh_from_db()
    seed = change.what["draw"]["input"]["seed"]
    return draw_round(section=section, round_=round_, anyway=True, seed=seed, by=by)


@transaction.atomic
def keep_draw(*, change: SeatingChange, tell: bool = False, by: Actor) -> SeatingChange:
    """Keep a draw after a correction of scores; with `tell` its list mentions that."""
    found = corrected_since(change)
    if found is None:
        return change
    said = {"answered": found["sha256"], "told": tell}
    return record_draw_decision(change=change, said=said, by=by)


def missing_now(section: Section) -> list[tuple[int, int]]:
    """Return the rounds and tables whose results the next draw still needs."""
    until = _counts_until(_plan(section), section.rounds + 1)
    return missing_before(section, read(section.session.event), until)


def missing_before(section: Section, rows: EventRows, until: int) -> list[tuple[int, int]]:
    """Return the rounds and tables, up to a round, with missing results."""
    open_ones = {it.sitting for it in rounds_of(rows, counted(rows)) if not it.is_whole}
    held = Sitting.objects.filter(section=section, round__lte=until, pk__in=open_ones)
    return list(held.order_by("round", "table").values_list("round", "table"))


def scores_until(section: Section, rows: EventRows, until: int) -> dict[int, Fraction]:
    """Return every entry's score up to a round of a section, by its number."""
    counting = frozenset(
        pk
        for pk, seated in rows.sittings.items()
        if seated.section != section.pk or seated.round <= until
    )
    event, last = rows.event, section.session.number
    return score(event, counted(rows, only=counting), seats_of(event), last=last).scores


@transaction.atomic
def seat_knockout(
    *,
    session: Session,
    boards_a_round: int,
    copies: int = 1,
    own_boards: bool = False,
    by: Actor,
) -> Section:
    """Play the bracket of an event in a session: each segment of a match is a round.

    The first segment is seated at once, the others are drawn when the winners are known. With
    three-way matches each segment is two halves, a round each. Raises StageRefused without a
    bracket or if another session plays it, and SeatingRefused.
    """
    knockout = knockout_of(session.event)
    if knockout is None:
        raise StageRefused(_("Lay the bracket first."))
    if is_seated(session.event, but=session):
        raise StageRefused(
            _(
                "The matches of this bracket have their tables in another session. Draw its "
                "next rounds there, or type the margins here."
            )
        )
    found = bracket_of(knockout)
    plan = SwissPlan(
        rounds=len(found.rounds) * knockout.segments,
        knockout=True,
        segments=knockout.segments,
        three_way=knockout.three_way,
        own_boards=own_boards,
    )
    couples, threes = _who_meets(found, 1)
    return seat_swiss(
        session=session,
        plan=plan,
        boards_a_round=boards_a_round,
        copies=copies,
        by_corrected=False,
        couples=couples,
        threes=threes,
        by=by,
    )


Couples = list[tuple[int, int]]
Threes = list[tuple[int, int, int]]


def _who_meets(found: Bracket, number: int) -> tuple[Couples, Threes]:
    """Return the bracket's matches of a round, by entry numbers; raise NotNow while open."""
    couples: Couples = []
    threes: Threes = []
    for match in found.rounds[number - 1]:
        one, other, third = map(found.entry, (match.one, match.other, match.third))
        if match.bye:
            continue
        if one is None or other is None:
            raise NotNow(
                _(
                    "It is not known yet who plays match %(match)s. A match that is level is "
                    "decided on the page of the bracket."
                )
                % {"match": match.number}
            )
        if third is None:
            couples.append((one, other))
        else:
            threes.append((one, other, third))
    return couples, threes


def _knocked(
    section: Section, plan: SwissPlan, round_: int, data: dict[str, Any]
) -> dict[str, Any]:
    """Draw the next segment of the matches, sides exchanged, or the bracket's next round."""
    knockout = knockout_of(section.session.event)
    if knockout is None:
        raise NotNow(_("The bracket was removed, so no round can be drawn."))
    number, segment = divmod(plan.drawn_in(round_) - 1, plan.segments)
    couples, threes = _who_meets(bracket_of(knockout), number + 1)
    if segment % 2:
        couples = [(other, one) for one, other in couples]
    return rounds.build_knockout_record(data, couples, (), number + 1, threes=threes)


def _input(
    section: Section, plan: SwissPlan, round_: int, rows: EventRows, seed: str
) -> dict[str, Any]:
    scores = scores_until(section, rows, _counts_until(plan, round_))
    movement = load_movement_in_play(section)
    places = list(section.places.filter(entry__isnull=False).select_related("entry"))
    entries = {
        place.entry.number: build_entry_data(
            place.entry,
            _text(scores.get(place.entry.number, Fraction())),
            left=place.number in movement.gone,
        )
        for place in places
        if place.entry
    }
    return rounds.build_input(
        plan,
        plan.drawn_in(round_),
        contest=Contest(section.session.event.contest),
        seed=seed,
        entries=entries.values(),
        history=[
            *history_before(section.session, rows, set(entries)),
            *history_of(section, plan, rows, set(entries)),
        ],
        wishes=wishes_of(section.session.event),
    )


def wishes_of(event: Event) -> DrawWishes:
    """Return the wishes in entries' tags: "north-south" for a side, "club …" for a club."""
    clubs: dict[str, list[int]] = {}
    found = set()
    for number, tags in tags_of(event).items():
        if NORTH_SOUTH in tags:
            found.add(number)
        for tag in tags:
            if tag.startswith(OF_A_CLUB):
                clubs.setdefault(tag, []).append(number)
    return DrawWishes(frozenset(found), tuple(tuple(each) for each in clubs.values()))


def _counts_until(plan: SwissPlan, round_: int) -> int:
    """Return the last round of the section whose scores count in the draw of a round."""
    return plan.last_of(plan.counts_until(plan.drawn_in(round_)))


def _plan(section: Section) -> SwissPlan:
    plan = read_plan(section.options)
    if plan is None:
        raise NotNow(_("The rounds of this movement are planned, so none is drawn."))
    return plan


def _check_turn(section: Section, plan: SwissPlan, round_: int) -> None:
    if round_ > plan.seated:
        words = ngettext(
            "%(rounds)s round is planned, and it is drawn.",
            "%(rounds)s rounds are planned, and all of them are drawn.",
            plan.seated,
        )
        raise NotNow(words % {"rounds": plan.seated})
    if round_ > section.rounds + 1:
        raise NotNow(_("Round %(round)s is drawn first.") % {"round": section.rounds + 1})


def _refuse_missing(section: Section, rows: EventRows, until: int) -> None:
    missing = missing_before(section, rows, until)
    if not missing:
        return
    round_, table = missing[0]
    words = ngettext(
        "Results are missing at %(count)s table (round %(round)s, table %(table)s). Enter them "
        "first, or draw from what is in.",
        "Results are missing at %(count)s tables (the first: round %(round)s, table "
        "%(table)s). Enter them first, or draw from what is in.",
        len(missing),
    )
    raise NotNow(words % {"count": len(missing), "round": round_, "table": table})


def _text(figure: Fraction) -> str:
    """Write a score with two decimals, as a draw reads it; round halves away from zero."""
    cents = abs(figure) * 100
    whole = (2 * cents.numerator + cents.denominator) // (2 * cents.denominator)
    sign = "-" if figure < 0 and whole else ""
    return f"{sign}{whole // 100}.{whole % 100:02d}"
