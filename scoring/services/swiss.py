"""Services that seat and draw Swiss rounds, and redraw or keep a draw after a correction."""

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
from scoring.services.changes import find_last_scored_round, undo_change
from scoring.services.knockouts import is_bracket_seated
from scoring.services.locking import lock_session
from scoring.services.recompute import enqueue_recomputation
from scoring.services.terms import build_terms_arguments, set_scoring_terms
from scoring.services.wrong_boards import omit_already_played_boards
from scoring.standings_engine.draw_history import build_section_rounds, load_draw_history
from scoring.standings_engine.knockouts import Bracket, find_knockout, load_bracket
from scoring.standings_engine.overall_order import load_tags
from scoring.standings_engine.result_lines import EventRows, load_event_rows, tally_results
from scoring.standings_engine.round_progress import build_round_progress
from scoring.standings_engine.scores import compute_scores_from_tally
from scoring.standings_engine.seats import load_seats
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, SeatingChange, Section, Session, Sitting
from tournaments.movements import Contest
from tournaments.seating_snapshot import load_movement_with_withdrawals
from tournaments.services.groundwork.rounds import record_draw_decision, seat_round
from tournaments.services.swiss import build_entry_data, map_places_by_number
from tournaments.swiss import rounds
from tournaments.swiss.plan import DrawWishes, SwissPlan, read_plan

TIE_BREAKS = ("corrected", "met", "boards_won")
"""The tie-breaks of equal totals. Large margins do not count, so a big win gains nothing."""
NORTH_SOUTH_TAG, CLUB_TAG_PREFIX = "north-south", "club "
"""The tag of an entry that prefers to sit N-S, and the prefix of the tag for its club."""
MIN_LONG_EVENT_BOARDS = 48
"""An event with at least this many boards is by default ranked by the corrected total."""


@transaction.atomic
def seat_swiss(
    *,
    session: Session,
    plan: SwissPlan,
    boards_a_round: int,
    copy_count: int = 1,
    method: str = "",
    by_corrected: bool | None = None,
    random_seed: str = "",
    first_matches: Sequence[tuple[int, int]] = (),
    three_way_matches: Sequence[tuple[int, int, int]] = (),
    by: Actor,
) -> Section:
    """Set up a Swiss evening: its plan, its first round and its scoring.

    `method` is the scoring method; by default, net tricks. With 48 boards or more, entries are
    ranked by the corrected total, unless `by_corrected` is given. Sit-outs count as the field's
    average, so every entry is ranked by its whole score. Raises InvalidSeating and
    UnknownMethod.
    """
    event = Event.objects.select_related("terms").get(pk=session.event_id)  # the current row
    entry_numbers = set(event.entries.values_list("number", flat=True))
    section = tournaments.services.swiss.seat_swiss_section(
        session=session,
        plan=plan,
        earlier_rounds=load_draw_history(session, load_event_rows(event), entry_numbers),
        boards_a_round=boards_a_round,
        copy_count=copy_count,
        seed=random_seed,
        first_matches=first_matches,
        three_way_matches=three_way_matches,
        wishes=load_draw_preferences(event),
        by=by,
    )
    is_long_event = plan.rounds * boards_a_round >= MIN_LONG_EVENT_BOARDS
    default_method = "tricks" if event.contest == "teams" else "plus_minus"
    set_scoring_terms(
        event=event,
        **(terms := build_terms_arguments(event))
        | {
            "method": method or default_method,
            "tie_breaks": list(TIE_BREAKS),
            "unequal_boards": "sums",
            "by_corrected": is_long_event if by_corrected is None else by_corrected,
            "whole_averages": False,
            "across": [
                session_number
                for session_number in terms["across"]
                if session_number != session.number
            ],
        },
        by=by,
    )
    return section


@transaction.atomic
def draw_round(
    *,
    section: Section,
    round_number: int,
    should_ignore_missing_results: bool = False,
    random_seed: str = "",
    by: Actor,
) -> SeatingChange | None:
    """Draw the next round of a Swiss section; idempotent, even for two scorers at once.

    Returns the draw of that round, even if it was drawn before; None for the first round,
    which is drawn with the seats. Raises ActionUnavailable while results on which the draw
    depends are missing, unless `should_ignore_missing_results` is given.
    """
    lock_session(section.session_id)  # wait for a score that is being entered
    section.refresh_from_db(fields=["tables", "rounds"])  # another user may have drawn it
    plan = _load_plan(section)
    if round_number <= section.rounds:
        return find_draw(section, round_number)
    _check_round_is_next(section, plan, round_number)
    event_rows = load_event_rows(section.session.event)
    if not should_ignore_missing_results:
        last_counting_round = _find_last_counting_round(plan, round_number)
        _check_no_missing_results(section, event_rows, last_counting_round)
    draw_input = _build_draw_input(
        section, plan, round_number, event_rows, random_seed or secrets.token_hex(8)
    )
    if sum(not entry_data.get("left") for entry_data in draw_input["entries"]) < 2:
        raise ActionUnavailable(
            _("Fewer than two are left, so no round can be drawn. Close the session.")
        )
    draw_record = (
        _draw_knockout_round(section, plan, round_number, draw_input)
        if plan.knockout
        else rounds.draw_round_from_data(draw_input)
    )
    used_board_group_count = section.sittings.aggregate(most=Max("board_group"))["most"] or 0
    change = seat_round(
        section=section,
        round_number=round_number,
        meetings=rounds.build_meetings(
            draw_record,
            map_places_by_number(section),
            plan=plan,
            round_number=round_number,
            used_set_count=used_board_group_count,
        ),
        draw_record=draw_record,
        by=by,
    )
    omit_already_played_boards(section)
    enqueue_recomputation(section.session.event)
    return change


def find_draw(section: Section, round_number: int) -> SeatingChange | None:
    """Return the draw of a round; both halves of a match use the draw of the first half."""
    plan = read_plan(section.options)
    if plan is not None:
        round_number = plan.get_first_section_round(plan.find_drawn_round(round_number))
    draws = section.session.changes.filter(
        undone_at=None,
        what__kind="drawn",
        what__round=round_number,
        before__letter=section.letter,
    )
    return draws.first()


def recompute_changed_draw(change: SeatingChange) -> dict[str, Any] | None:
    """Recompute the last draw from the current scores; return None if it is unchanged.

    Also returns None if the director has decided to keep the stored draw, and the scores have
    not changed since. Nothing is saved.
    """
    section = change.session.sections.get(letter=change.before["letter"])
    round_number, stored_draw = change.what["round"], change.what["draw"]
    plan = _load_plan(section)
    is_last_drawn_round = section.rounds == round_number + plan.halves - 1
    if change.undone_at is not None or not is_last_drawn_round or "knockout" in stored_draw:
        return None
    event_rows = load_event_rows(change.session.event)
    scores_by_entry = compute_scores_up_to_round(
        section, event_rows, _find_last_counting_round(plan, round_number)
    )
    draw_input = stored_draw["input"] | {
        "entries": [
            entry_data
            | {"score": _format_score(scores_by_entry.get(entry_data["id"], Fraction()))}
            for entry_data in stored_draw["input"]["entries"]
        ]
    }
    if draw_input == stored_draw["input"]:
        return None
    new_draw_record = rounds.draw_round_from_data(draw_input)
    is_old_draw_kept = new_draw_record["sha256"] == change.what.get("answered")
    return None if is_old_draw_kept else new_draw_record


def has_later_seat_changes(change: SeatingChange) -> bool:
    """Return whether seats were changed after a draw. These changes must be undone first."""
    return change.session.changes.filter(undone_at=None).first() != change


@transaction.atomic
def redraw_round(*, change: SeatingChange, by: Actor) -> SeatingChange | None:
    """Draw a round again from the current scores, with the same seed.

    Raises ActionUnavailable after a board of the round is scored.
    """
    lock_session(change.session_id)
    section = change.session.sections.get(letter=change.before["letter"])
    round_number = change.what["round"]
    if find_last_scored_round(section) >= round_number:
        raise ActionUnavailable(
            _("Round %(round)s already has scores, so its draw can’t change.")
            % {"round": round_number}
        )
    undo_change(change=change, by=by)
    section.refresh_from_db()
    return draw_round(
        section=section,
        round_number=round_number,
        should_ignore_missing_results=True,
        random_seed=change.what["draw"]["input"]["seed"],
        by=by,
    )


@transaction.atomic
def keep_draw(
    *, change: SeatingChange, should_mention_correction: bool = False, by: Actor
) -> SeatingChange:
    """Keep a draw after a correction of scores.

    With `should_mention_correction`, the printed list of the draw mentions the correction.
    """
    new_draw_record = recompute_changed_draw(change)
    if new_draw_record is None:
        return change
    decision_data = {"answered": new_draw_record["sha256"], "told": should_mention_correction}
    return record_draw_decision(change=change, decision_data=decision_data, by=by)


def list_tables_blocking_draw(section: Section) -> list[tuple[int, int]]:
    """Return the rounds and tables whose results the next draw still needs."""
    last_counting_round = _find_last_counting_round(_load_plan(section), section.rounds + 1)
    event_rows = load_event_rows(section.session.event)
    return list_unfinished_tables(section, event_rows, last_counting_round)


def list_unfinished_tables(
    section: Section, event_rows: EventRows, last_counting_round: int
) -> list[tuple[int, int]]:
    """Return the rounds and tables with missing results, up to a round."""
    unfinished_sitting_ids = {
        progress.sitting_id
        for progress in build_round_progress(event_rows, tally_results(event_rows))
        if not progress.is_complete
    }
    sittings = Sitting.objects.filter(
        section=section, round__lte=last_counting_round, pk__in=unfinished_sitting_ids
    )
    return list(sittings.order_by("round", "table").values_list("round", "table"))


def compute_scores_up_to_round(
    section: Section, event_rows: EventRows, last_counting_round: int
) -> dict[int, Fraction]:
    """Return the score of each entry after a round of a section, by the number of the entry."""
    included_sitting_ids = frozenset(
        sitting_id
        for sitting_id, sitting_sides in event_rows.sides_by_sitting.items()
        if sitting_sides.section_pk != section.pk
        or sitting_sides.round_number <= last_counting_round
    )
    return compute_scores_from_tally(
        event_rows.event,
        tally_results(event_rows, included_sitting_ids=included_sitting_ids),
        load_seats(event_rows.event),
        last_session_number=section.session.number,
    ).scores_by_entry


@transaction.atomic
def seat_knockout(
    *,
    session: Session,
    boards_a_round: int,
    copies: int = 1,
    own_boards: bool = False,
    by: Actor,
) -> Section:
    """Play the bracket of an event in a session; each segment of a match is a round.

    The first segment is seated now. The others are drawn when the winners are known. With
    three-way matches, a segment has two halves of one round each. With `own_boards`, each match
    of teams plays boards of its own. Raises InvalidSeating, and StageRefused without a bracket
    or if another session plays it.
    """
    knockout = find_knockout(session.event)
    if knockout is None:
        raise StageRefused(_("Create the bracket first."))
    if is_bracket_seated(session.event, ignored_session=session):
        raise StageRefused(
            _(
                "This bracket is being played in another session. Draw its "
                "next rounds there, or enter the margins here."
            )
        )
    bracket = load_bracket(knockout)
    plan = SwissPlan(
        rounds=len(bracket.rounds) * knockout.segments,
        knockout=True,
        segments=knockout.segments,
        three_way=knockout.three_way,
        own_boards=own_boards,
    )
    two_way_matches, three_way_matches = _list_bracket_matches(bracket, 1)
    return seat_swiss(
        session=session,
        plan=plan,
        boards_a_round=boards_a_round,
        copy_count=copies,
        by_corrected=False,
        first_matches=two_way_matches,
        three_way_matches=three_way_matches,
        by=by,
    )


TwoWayMatches = list[tuple[int, int]]
ThreeWayMatches = list[tuple[int, int, int]]


def _list_bracket_matches(
    bracket: Bracket, bracket_round_number: int
) -> tuple[TwoWayMatches, ThreeWayMatches]:
    """Return a round's matches by entry numbers; raise ActionUnavailable while one is open."""
    two_way_matches: TwoWayMatches = []
    three_way_matches: ThreeWayMatches = []
    for match in bracket.rounds[bracket_round_number - 1]:
        first_entry_number, second_entry_number, third_entry_number = map(
            bracket.find_entry_number, (match.first_side, match.second_side, match.third_side)
        )
        if match.is_bye:
            continue
        if first_entry_number is None or second_entry_number is None:
            message = _(
                "The sides of match %(match)s aren’t known yet. Decide level matches "
                "on the bracket page."
            )
            raise ActionUnavailable(message % {"match": match.number})
        if third_entry_number is None:
            two_way_matches.append((first_entry_number, second_entry_number))
        else:
            three_way_matches.append(
                (first_entry_number, second_entry_number, third_entry_number)
            )
    return two_way_matches, three_way_matches


def _draw_knockout_round(
    section: Section, plan: SwissPlan, round_number: int, draw_input: dict[str, Any]
) -> dict[str, Any]:
    """Draw the next segment of the current matches, or the bracket's next round.

    In every second segment of a match, the two sides exchange N-S and E-W.
    """
    knockout = find_knockout(section.session.event)
    if knockout is None:
        raise ActionUnavailable(_("The bracket was removed, so no round can be drawn."))
    round_index, segment_index = divmod(plan.find_drawn_round(round_number) - 1, plan.segments)
    two_way_matches, three_way_matches = _list_bracket_matches(
        load_bracket(knockout), round_index + 1
    )
    if segment_index % 2:
        two_way_matches = [
            (second_number, first_number) for first_number, second_number in two_way_matches
        ]
    return rounds.build_knockout_draw_record(
        draw_input, two_way_matches, (), round_index + 1, three_way_matches=three_way_matches
    )


def _build_draw_input(
    section: Section,
    plan: SwissPlan,
    round_number: int,
    event_rows: EventRows,
    random_seed: str,
) -> dict[str, Any]:
    scores_by_entry = compute_scores_up_to_round(
        section, event_rows, _find_last_counting_round(plan, round_number)
    )
    movement = load_movement_with_withdrawals(section)
    places = list(section.places.filter(entry__isnull=False).select_related("entry"))
    entry_data_by_number = {
        place.entry.number: build_entry_data(
            place.entry,
            _format_score(scores_by_entry.get(place.entry.number, Fraction())),
            has_withdrawn=place.number in movement.withdrawn_places,
        )
        for place in places
        if place.entry
    }
    return rounds.build_draw_input(
        plan,
        plan.find_drawn_round(round_number),
        contest=Contest(section.session.event.contest),
        seed=random_seed,
        entries=entry_data_by_number.values(),
        earlier_rounds=[
            *load_draw_history(section.session, event_rows, set(entry_data_by_number)),
            *build_section_rounds(section, plan, event_rows, set(entry_data_by_number)),
        ],
        wishes=load_draw_preferences(section.session.event),
    )


def load_draw_preferences(event: Event) -> DrawWishes:
    """Read the preferences for the draw from the entries' tags.

    The tag "north-south" is a preference for that side. Entries with the same "club …" tag
    should not meet early.
    """
    entries_by_club_tag: dict[str, list[int]] = {}
    north_south_entry_numbers = set()
    for entry_number, tags in load_tags(event).items():
        if NORTH_SOUTH_TAG in tags:
            north_south_entry_numbers.add(entry_number)
        for tag in tags:
            if tag.startswith(CLUB_TAG_PREFIX):
                entries_by_club_tag.setdefault(tag, []).append(entry_number)
    return DrawWishes(
        frozenset(north_south_entry_numbers),
        tuple(tuple(club_entries) for club_entries in entries_by_club_tag.values()),
    )


def _find_last_counting_round(plan: SwissPlan, round_number: int) -> int:
    """Return the last round of the section whose scores count in the draw of a round."""
    draw_number = plan.find_drawn_round(round_number)
    return plan.get_last_section_round(plan.find_last_counting_round(draw_number))


def _load_plan(section: Section) -> SwissPlan:
    plan = read_plan(section.options)
    if plan is None:
        raise ActionUnavailable(_("This movement is fixed, so no rounds are drawn."))
    return plan


def _check_round_is_next(section: Section, plan: SwissPlan, round_number: int) -> None:
    if round_number > plan.section_rounds:
        message = ngettext(
            "%(rounds)s round planned, already drawn.",
            "%(rounds)s rounds planned, all drawn.",
            plan.section_rounds,
        )
        raise ActionUnavailable(message % {"rounds": plan.section_rounds})
    if round_number > section.rounds + 1:
        message = _("Draw round %(round)s first.")
        raise ActionUnavailable(message % {"round": section.rounds + 1})


def _check_no_missing_results(
    section: Section, event_rows: EventRows, last_counting_round: int
) -> None:
    missing_tables = list_unfinished_tables(section, event_rows, last_counting_round)
    if not missing_tables:
        return
    round_number, table_number = missing_tables[0]
    message = ngettext(
        "Results are missing at %(count)s table (round %(round)s, "
        "table %(table)s). Enter them first, or draw anyway.",
        "Results are missing at %(count)s tables (the first: round "
        "%(round)s, table %(table)s). Enter them first, or draw "
        "anyway.",
        len(missing_tables),
    )
    raise ActionUnavailable(
        message % {"count": len(missing_tables), "round": round_number, "table": table_number}
    )


def _format_score(score: Fraction) -> str:
    """Format a score with two decimals for the input of a draw.

    Halves are rounded away from zero.
    """
    hundredths = abs(score) * 100
    rounded_hundredths = (2 * hundredths.numerator + hundredths.denominator) // (
        2 * hundredths.denominator
    )
    sign = "-" if score < 0 and rounded_hundredths else ""
    return f"{sign}{rounded_hundredths // 100}.{rounded_hundredths % 100:02d}"
