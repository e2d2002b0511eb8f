"""A night of two clubs with something of everything, created only through the services.

Pairs, teams, individuals and a memory duplicate are over; one event is in play, another is
planned and one is rehearsed. All usual faults of a whist club have happened.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import clubs.evenings.services
import clubs.services
import hall.challenges.services
import hall.helpers.services
import hall.phones.services
import hall.rehearsal.services
import scoring.services
import tournaments.services
from boards.whist import Seat
from boards.whist.dealing import deal_board
from boards.whist.notation import format_hand
from boards.worked_hands import read_worked_hands
from clubs.models import Club, Membership
from exchange.eventfile.importer import import_event
from hall.management.commands.demo import DEMO_EVENING_PATH
from scoring.models import Doubt, Result
from scoring.services.doubts import accept_result
from scoring.services.play_records import PlayContext, create_play_record, show_or_hide_play
from scoring.services.undo_results import undo_result
from server.logins import tokens
from server.models import User
from tests import acts, evenings
from tests.factories import choose_tricks, make_name
from tests.releases.chance import Clock
from tournaments.models import Entry, Event, Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.movements.systems.custom import build_rows
from tournaments.services.seats import arrange_entries

NIGHT_STARTS_AT = datetime(2026, 11, 17, 18, 30, tzinfo=UTC)
"""The time when the first pair is entered."""
DAY = date(2026, 11, 17)
LAWS_BY_RULING = {"average": "V.1", "revoke": "X.4", "new_deal": "IV.10", "fouled": "V.2"}


def create_night(clock: Clock) -> None:
    """Fill an empty database; needs a fixed clock and randomness, and jobs run immediately."""
    club, owner = evenings.create_club_with_director("Riverside Whist Club", "owner")
    director = create_member(club, "director", Membership.Role.DIRECTOR)
    evenings.create_scorer(club)
    clubs.services.add_member(
        club=club, login="leaver", role="scorer", form_key="0" * 32, by=owner
    )
    former_member = club.memberships.get(user__username="leaver")
    clubs.services.change_role(member=former_member, role="director", by=owner)
    clubs.services.remove_member(member=former_member, by=owner)
    User.objects.create_superuser("keeper", date_joined=clock.advance_and_read())
    for contest in (play_pairs, play_teams, play_individual, play_memory, play_sections):
        contest(club, director, clock)
        clock.wait(hours=2)
    create_planned_event(club, director)
    create_archived_event(club, director)
    change_people(club, owner)
    tokens.create_token(director, name="the night")
    create_other_club()


def create_member(club: Club, login: str, role: str) -> User:
    user = User.objects.create(username=login)
    Membership.objects.create(club=club, user=user, role=role)
    return user


def create_event(
    club: Club, title: str, entries: Sequence[int], by: User, **options: str
) -> Event:
    """Create an event whose entries have this many players each."""
    event = scoring.services.create_event(club=club, name=title, date=DAY, by=by, **options)
    first_player_index = 0
    for players in entries:
        names = [make_name(first_player_index + number) for number in range(players)]
        tournaments.services.create_entry(event=event, names=names, by=by)
        first_player_index += players
    return event


def seat_newest_session(
    event: Event, movement: str, boards: int, by: User, **size: int
) -> Session:
    """Seat the newest session by a movement of the catalogue."""
    session = event.sessions.latest("number")
    built_movement = build_named_movement(movement, **size)
    tournaments.services.seat_section(
        session=session,
        movement=built_movement,
        options=size,
        entries_by_place=arrange_entries(
            built_movement, list(event.entries.order_by("number"))
        ),
        boards_a_round=boards,
        by=by,
    )
    session.refresh_from_db()
    return session


def list_sittings(session: Session) -> list[Sitting]:
    """Return all sittings that are played, in order."""
    rows = Sitting.objects.filter(section__session=session)
    rows = rows.exclude(north__entry=None).exclude(east__entry=None)
    return list(rows.order_by("round", "section", "table"))


def enter_results(
    session: Session,
    by: User,
    rounds: int = 99,
    choose_mark: Callable[[int, int, int], int] = choose_tricks,
) -> None:
    """Enter the results of the first rounds from the score grid."""
    for sitting in list_sittings(session):
        if sitting.round <= rounds:
            for board in session.get_group_boards(sitting.board_group):
                text = str(choose_mark(sitting.round, sitting.table, board))
                evenings.enter_result(session, sitting.pk, board, text, by)


def reload_session(session: Session) -> Session:
    """Read a session again."""
    return Session.objects.select_related("event__club").get(pk=session.pk)


def do_undo_and_redo(
    act: Callable[[Session, User], object], session: Session, by: User
) -> None:
    """Do an act, undo it, and redo it."""
    act(reload_session(session), by)
    event = session.event
    undoing_act = acts.undo_act(acts.find_newest_act(event), event, by)
    acts.undo_act(undoing_act, event, by)


def play_pairs(club: Club, by: User, clock: Clock) -> None:
    """Create two sessions: the first closed and later corrected, the second in play."""
    event = create_event(club, "Autumn pairs", [2] * 6, by)
    first_session = seat_newest_session(event, "compass", 2, by, pairs=6)
    acts.set_stationary_wishes(first_session, by)
    do_undo_and_redo(acts.hide_standings, first_session, by)
    acts.draw_random_seats(first_session, by)
    acts.request_dealing(first_session, by)
    acts.create_table_links(reload_session(first_session), by)
    acts.create_entry_links(first_session, by)
    tournaments.services.redeal_boards(
        session=reload_session(first_session), seen_board_set_ordinal=1, by=by
    )
    for paper_kind in ("travellers", "guide_cards", "score_slips", "table_links"):
        scoring.services.order_paper(
            session=reload_session(first_session), kind=paper_kind, size="A4", by=by
        )
    first_session = acts.open_session(reload_session(first_session), by)
    acts.set_clock(first_session, by)
    acts.start_clock(first_session, by)
    enter_results(first_session, by)
    enter_by_phone(first_session, by)
    make_rulings(first_session, by)
    clock.wait(hours=3)
    acts.close_session(reload_session(first_session), by)
    acts.reopen_session(reload_session(first_session), by)
    acts.undo_act(acts.find_newest_act(event), event, by)
    scoring.services.order_paper(
        session=reload_session(first_session), kind="ranking", size="Letter", by=by
    )
    create_score_queries(event, by)
    acts.change_scoring(first_session, by)
    second_session = tournaments.services.add_session(
        event=event, date=date(2026, 11, 24), by=by
    )
    clock.wait(hours=1)
    open_second_session(second_session, by, clock)


def enter_by_phone(session: Session, by: User) -> None:
    """Enter results by phone with a confirmation and corrections; let tables call."""
    links = list(
        hall.phones.services.create_table_links(session=reload_session(session), by=by)
    )
    guest = hall.phones.services.build_guest(links[0])
    first_sitting, second, third_sitting, *_rest = list_sittings(session)
    for number, sitting in enumerate((first_sitting, second)):
        board = session.get_group_boards(sitting.board_group)[0]
        result = scoring.services.record_result(
            sitting=sitting,
            board_number=board,
            mark="8",
            seen_score=None,
            channel="phone",
            request_key=str(number),
            by=guest,
        )
        if number == 0:
            mark = result.result.mark
            scoring.services.confirm_result(
                sitting=sitting, board_number=board, seen_score=mark, by=guest
            )
    calls = [clubs.evenings.services.call_director(link=link) for link in links[:2]]
    clubs.evenings.services.answer_call(call=calls[0], by=by)
    hall.phones.services.revoke_table_link(link=links[2], by=by)
    board = session.get_group_boards(third_sitting.board_group)[0]
    for mark in ("-", "", "3", "4"):
        evenings.enter_result(session, third_sitting.pk, board, mark, by)
    newest_version = Result.objects.get(sitting=third_sitting, board=board).versions.latest(
        "number"
    )
    undo_result(version=newest_version, by=by)
    for queried_result in Result.objects.filter(doubt=Doubt.QUERIED)[:1]:
        accept_result(sitting=queried_result.sitting, board_number=queried_result.board, by=by)


def make_rulings(session: Session, by: User) -> None:
    """Make one ruling of each kind, each at a sitting of its own; withdraw two."""
    lines: list[tuple[str, dict[str, object]]] = [
        ("revoke", {"side": "NS", "revokes": 1, "won_before": 2}),
        ("revoke", {"side": "EW", "revokes": 2, "won_before": 0, "full": True, "reason": "x"}),
        ("average", {}),
        ("adjusted", {"ns_tricks": "13/2", "ew_tricks": "7", "reason": "noise"}),
        ("fouled", {"reason": "two hands changed places"}),
        ("noted", {"situation": "I26", "reason": "a card led out of turn"}),
        ("new_deal", {"deal": deal_board(bytes(32), 1)}),
    ]
    rulings = []
    for (kind, terms), sitting in zip(lines, list_sittings(session), strict=False):
        board = session.get_group_boards(sitting.board_group)[-1 if kind != "new_deal" else 0]
        if kind == "new_deal":
            terms["deal"] = deal_board(bytes(32), board)
        rulings.append(
            scoring.services.make_ruling(
                kind=kind,
                sitting=sitting,
                board_number=board,
                law=LAWS_BY_RULING.get(kind, ""),
                by=by,
                **terms,
            )
        )
    redealt_result = rulings[-1].result
    evenings.enter_result(session, redealt_result.sitting_id, redealt_result.board, "9", by)
    do_undo_and_redo(acts.add_penalty, session, by)
    scoring.services.withdraw_ruling(ruling=rulings[1], by=by)


def create_score_queries(event: Event, by: User) -> None:
    """Create queries after play: one corrected, one rejected, and one without a response."""
    results = Result.objects.filter(sitting__section__session__event=event, ns_tricks__gt=1)
    rows = list(results.exclude(rulings__isnull=False).order_by("pk")[:3])
    for number, result in enumerate(rows):
        asking_entry, entry = result.sitting.north.entry, result.sitting.east.entry
        challenge = hall.challenges.services.challenge_result(
            entry=asking_entry, result=result, ns_tricks=result.ns_tricks - 1
        )
        if number < 2:
            hall.challenges.services.answer_challenge(
                entry=entry, challenge=challenge, has_agreed=number == 0
            )
            hall.challenges.services.decide_challenge(
                challenge=challenge, is_approved=number == 0, by=by
            )


def open_second_session(session: Session, by: User, clock: Clock) -> None:
    """Create a session in play with hand-shuffled boards, after a change of plan."""
    session = seat_newest_session(session.event, "compass", 2, by, pairs=6)
    tournaments.services.set_table_shuffling(session=session, by=by)
    tournaments.services.set_table_shuffling(session=reload_session(session), by=by)
    session = acts.open_session(reload_session(session), by)
    acts.create_table_links(session, by)
    acts.set_clock(session, by)
    acts.start_clock(session, by)
    enter_results(session, by, rounds=1)
    do_undo_and_redo(acts.record_wrong_boards, session, by)
    clock.wait(minutes=10)
    acts.add_minutes(reload_session(session), by)
    hall.helpers.services.create_hand_link(session=reload_session(session), by=by)


def play_teams(club: Club, by: User, clock: Clock) -> None:
    """Create an event of five teams of four, played to the end."""
    event = create_event(club, "Team match", [4] * 5, by, contest="teams", method="matches")
    session = seat_newest_session(event, "howell-teams", 2, by, teams=5)
    acts.request_dealing(session, by)
    session = acts.open_session(reload_session(session), by)
    enter_results(session, by)
    acts.close_session(reload_session(session), by)


def play_individual(club: Club, by: User, clock: Clock) -> None:
    """Create an event of eight players, with typed cards and a deal recorded trick by trick."""
    event = create_event(
        club, "Individual", [1] * 8, by, contest="individual", paper_size="Letter"
    )
    session = seat_newest_session(event, "whist-individual", 1, by, players=8)
    session = acts.open_session(reload_session(session), by)
    enter_results(session, by)
    acts.close_session(reload_session(session), by)
    worked_play = read_worked_hands()["pole-1"].play
    tournaments.services.import_deals(
        session=reload_session(session), deals_by_board={1: worked_play.deal}, by=by
    )
    record = create_play_record(
        context=PlayContext(club=club, session=reload_session(session), board_number=1),
        play=worked_play,
        by=by,
    )
    show_or_hide_play(record=record, counts=False, by=by)
    show_or_hide_play(record=record, counts=True, by=by)
    create_play_record(
        context=PlayContext(club=club, title="A hand of Pole's"), play=worked_play, by=by
    )
    link = hall.helpers.services.create_hand_link(
        session=reload_session(session), are_outsiders=True, by=by
    )
    deal = deal_board(bytes(32), 2)
    for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH):
        turn_up = deal.turn_up.code if seat is deal.dealer else ""
        hall.helpers.services.record_hand(
            link=link,
            board_number=2,
            seat=seat,
            cards_text=format_hand(deal.hands[seat]),
            turn_up=turn_up,
        )


def play_memory(club: Club, by: User, clock: Clock) -> None:
    """Create two pairs who play the same boards twice."""
    event = create_event(club, "Memory duplicate", [2, 2], by, contest="memory")
    session = seat_newest_session(event, "memory", 3, by, pairs=2)
    acts.request_dealing(session, by)
    tournaments.services.seal_boards(session=reload_session(session), by=by)
    session = acts.open_session(reload_session(session), by)
    enter_results(session, by)
    acts.close_session(reload_session(session), by)
    scoring.services.order_paper(
        session=reload_session(session), kind="result_card", size="A4", by=by
    )


def play_sections(club: Club, by: User, clock: Clock) -> None:
    """Create two sections with the same deals, compared as one by matchpoints."""
    event = create_event(club, "Open pairs", [2] * 12, by, method="matchpoints")
    entries, movement = (
        list(event.entries.order_by("number")),
        build_named_movement("howell", pairs=6),
    )
    planned_sections = [
        tournaments.services.PlannedSection(movement, {"pairs": 6}, field)
        for field in tournaments.services.divide_entries(entries, 2, "turn")
    ]
    session = event.sessions.get()
    tournaments.services.seat_sections(
        session=session,
        planned_sections=planned_sections,
        boards_a_round=1,
        is_ranked_across_sections=True,
        by=by,
    )
    acts.request_dealing(reload_session(session), by)
    session = acts.open_session(reload_session(session), by)
    enter_results(session, by, rounds=4)


def create_planned_event(club: Club, by: User) -> None:
    """Create a planned event with the club's own movement, and its rehearsal."""
    event = create_event(club, "Next Tuesday", [2] * 6, by)
    rows = build_rows(build_named_movement("compass", tables=3))
    tournaments.services.save_movement(
        club=club, name="Our three tables", contest="pairs", rows=rows, by=by
    )
    session = seat_newest_session(event, "compass", 2, by, pairs=6)
    tournaments.services.request_dealing(session=session, should_use_public_value=True, by=by)
    rehearsal = hall.rehearsal.services.create_rehearsal(session=reload_session(session), by=by)
    hall.rehearsal.services.run_rehearsal(rehearsal=rehearsal, by=by)
    hall.rehearsal.services.set_speed(rehearsal=rehearsal, speed=10, by=by)
    hall.rehearsal.services.finish_round(rehearsal=rehearsal, round_number=1, by=by)


def create_archived_event(club: Club, by: User) -> None:
    """Create an archived event of two pairs, without a movement."""
    event = create_event(club, "Called off", [2, 2], by)
    session = event.sessions.get()
    acts.rename_entry(session, by)
    acts.undo_act(acts.find_newest_act(event), event, by)
    tournaments.services.remove_entry(entry=Entry.objects.get(event=event, number=2), by=by)
    acts.archive_event(session, by)


def change_people(club: Club, by: User) -> None:
    """Correct, hide, merge and remove names."""
    guest = tournaments.services.add_player(club=club, name="Gerta Guest", by=by)
    duplicate_player = tournaments.services.add_player(club=club, name="Gerda Guest", by=by)
    tournaments.services.merge_players(
        removed_player=duplicate_player, kept_player=guest, by=by
    )
    tournaments.services.rename_player(player=guest, name="Greta Guest", by=by)
    tournaments.services.remove_player(player=guest, by=by)
    players = list(club.players.order_by("name")[:2])
    for player, visibility in zip(players, ("initials", "nobody"), strict=True):
        tournaments.services.set_player_visibility(player=player, shown=visibility, by=by)


def create_other_club() -> None:
    """Create a second club: a night from an event file, and an event without results."""
    club, owner = evenings.create_club_with_director("Hill Street Whist Club", "other")
    import_event(document=Path(DEMO_EVENING_PATH).read_bytes(), club=club, by=owner)
    event = create_event(club, "Hill Street opening", [2] * 8, owner, method="tricks")
    session = seat_newest_session(event, "howell", 1, owner, pairs=8)
    acts.request_dealing(session, owner)
    acts.open_session(reload_session(session), owner)
