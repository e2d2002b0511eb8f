"""The schema of a club archive's events, their boards, and the undo data of actions."""

from itertools import islice

from django.db.models import Q, QuerySet

from boards.models import BoardSet
from clubs.archives.spec import ArchiveSpec
from clubs.models import Club
from tournaments.models import Session

SEATING_REFERENCES = {
    "places.*.3": "tournaments.Entry",
    "newcomer": "tournaments.Entry",
    "new_players.*": "clubs.Player",
    "entry.pk": "tournaments.Entry",
}
"""The model of each primary key in a stored seating (`tournaments.seating_snapshot`).

The keys are paths in its JSON data, in which `*` matches any key or index.
"""
SESSION_REFERENCES = {"session": "tournaments.Session"}
PLAYER_REFERENCES = {"player": "clubs.Player"}
MERGED_PLAYER_REFERENCES = {"gone": "clubs.Player", "kept": "clubs.Player"}
MERGE_UNDO_REFERENCES = {
    "memberships.*": "tournaments.EntryPlayer",
    "moved.clubs/Attendance/player.*": "clubs.Attendance",
    "moved.clubs/BookedPerson/player.*": "clubs.BookedPerson",
    "moved.clubs/BookingLink/player.*": "clubs.BookingLink",
    "moved.clubs/Consent/player.*": "clubs.Consent",
    "moved.drives/DrivePlayer/player.*": "drives.DrivePlayer",
    "moved.rubbers/RubberPlayer/player.*": "rubbers.RubberPlayer",
    "moved.clubs/PersonLink/player.*": "clubs.PersonLink",
    "moved.clubs/TwoPeople/one.*": "clubs.TwoPeople",
    "moved.clubs/TwoPeople/other.*": "clubs.TwoPeople",
    "moved.seasons/EngravedName/player.*": "seasons.EngravedName",
    "moved.seasons/Grade/partner.*": "seasons.Grade",
    "moved.seasons/Grade/player.*": "seasons.Grade",
    "moved.seasons/GradeStep/partner.*": "seasons.GradeStep",
    "moved.seasons/GradeStep/player.*": "seasons.GradeStep",
    "moved.seasons/Handicap/player.*": "seasons.Handicap",
    "moved.seasons/HandicapByHand/player.*": "seasons.HandicapByHand",
    "moved.seasons/HiddenGrade/player.*": "seasons.HiddenGrade",
    "moved.seasons/ResultsMail/player.*": "seasons.ResultsMail",
    "moved.seasons/SeatElsewhere/player.*": "seasons.SeatElsewhere",
    "lost.*.values.player_id": "clubs.Player",
}
"""The model of each primary key in the undo data of a merge, by its path in the JSON data.

The module `tournaments.services.player_references` stores this data.
"""
RESTORED_SESSION_REFERENCES = {"pk": "tournaments.Session", "evening": "clubs.Evening"}


def find_board_sets_of_club(club: Club) -> set[int]:
    """Return the primary keys of all board sets of a club's sessions.

    These include sets that a session no longer plays: those set aside (`Session.set_aside`) or
    replaced, because the archive contains every dealing of a session.
    """
    return _find_board_sets(Q(event__club=club))


def find_board_sets_of_other_clubs(club: Club) -> set[int]:
    """Return the primary keys of all board sets of other clubs' sessions.

    The same sets are included as in `find_board_sets_of_club`. Two clubs can play one set.
    """
    return _find_board_sets(~Q(event__club=club))


def _find_board_sets(session_filter: Q) -> set[int]:
    session_set_pks = Session.objects.filter(session_filter).values_list(
        "board_set", "set_aside"
    )
    set_pks = {
        set_pk
        for linked_pair in session_set_pks.iterator()
        for set_pk in linked_pair
        if set_pk is not None
    }
    replacing_sets = (
        BoardSet.objects.filter(replaces__isnull=False) if set_pks else BoardSet.objects.none()
    )
    replacements = [
        (replacing_set.pk, replacing_set.replaces_id)
        for replacing_set in replacing_sets.only("pk", "replaces")
    ]
    has_new_sets = True
    while has_new_sets:
        linked_pairs = (
            linked_pair for linked_pair in replacements if not set_pks.isdisjoint(linked_pair)
        )
        linked_set_pks = {
            set_pk
            for linked_pair in linked_pairs
            for set_pk in linked_pair
            if set_pk is not None
        }
        has_new_sets = not linked_set_pks <= set_pks
        set_pks |= linked_set_pks
    return set_pks


def list_events_in_play(club: Club) -> list[str]:
    """Return the names of a club's events with an open session."""
    return _list_event_names(Session.objects.filter(event__club=club, state=Session.State.OPEN))


def list_newest_congress_event(club: Club) -> list[str]:
    """Return the name of the newest event that uses congress features, such as finals.

    The list has this one name, or is empty if no event of the club uses them.
    """
    congress_event_names = (
        event.name for event in club.events.all() if event.uses_congress_features
    )
    return list(islice(congress_event_names, 1))


def list_events_with_secret_boards(club: Club) -> list[str]:
    """Return the names of a club's events whose dealt cards must still be kept secret."""
    unclosed_sessions = Session.objects.filter(event__club=club).exclude(
        state=Session.State.CLOSED
    )
    has_dealt_cards = (
        Q(board_set__isnull=False) | Q(set_aside__isnull=False) | Q(typed_hands__isnull=False)
    )
    return _list_event_names(unclosed_sessions.filter(has_dealt_cards))


def _list_event_names(sessions: QuerySet[Session]) -> list[str]:
    return sorted({session.event.name for session in sessions.select_related("event")})


ARCHIVE_SPEC = ArchiveSpec(
    reference_paths_by_field={
        "boards.Board.leads": {},
        "boards.BoardSet.promised_before": {},
        "tournaments.SavedMovement.rows": {},
        "tournaments.SeatingChange.what": {},
        "tournaments.SeatingChange.before": SEATING_REFERENCES,
        "tournaments.SeatingChange.after": SEATING_REFERENCES,
        "tournaments.Section.options": {},
        "tournaments.Sitting.strays": {},
    },
    reference_paths_by_inverse_name={
        "boards.count_deals": SESSION_REFERENCES | {"rows.*": "boards.Board"},
        "boards.decide_later": SESSION_REFERENCES,
        "boards.leave_out": SESSION_REFERENCES,
        "boards.set_aside": SESSION_REFERENCES,
        "boards.take_up": SESSION_REFERENCES,
        "entry.put_back": {"pk": "tournaments.Entry"},
        "entry.remove": {"entry": "tournaments.Entry", "new.*": "clubs.Player"},
        "entry.rename": {"entry": "tournaments.Entry", "new.*": "clubs.Player"},
        "event.bring_back": {"also.*": "tournaments.Event"},
        "event.put_away": {"also.*": "tournaments.Event"},
        "event.show": {},
        "movement.drop": {},
        "movement.save": {},
        "people.put_back": {"new.*": "clubs.Player", "changed.*.player": "clubs.Player"},
        "player.merge": MERGED_PLAYER_REFERENCES,
        "player.part": MERGED_PLAYER_REFERENCES | MERGE_UNDO_REFERENCES,
        "player.put_back": {"pk": "clubs.Player"},
        "player.remove": PLAYER_REFERENCES,
        "player.rename": PLAYER_REFERENCES,
        "player.show": PLAYER_REFERENCES,
        "second_play.settle": {},
        "seats.places": SESSION_REFERENCES | {"places.*.1": "tournaments.Entry"},
        "seats.put_back": SESSION_REFERENCES | {"sections.*.places.*.3": "tournaments.Entry"},
        "session.date": SESSION_REFERENCES | {"with_series.*": "clubs.Fixture"},
        "session.put_back": RESTORED_SESSION_REFERENCES,
        "session.remove": SESSION_REFERENCES,
        "trumps.agree": {},
        "wish": {"entry": "tournaments.Entry"},
    },
    model_labels_by_subject={
        "boards": "tournaments.Session",
        "day": "tournaments.Session",
        "entry": "tournaments.Entry",
        "event": "",
        "movement": "",
        "play": "tournaments.Session",
        "player": "clubs.Player",
        "seats": "tournaments.Session",
        "session": "tournaments.Session",
        "wish": "tournaments.Entry",
    },
    row_finders_by_label={"boards.BoardSet": find_board_sets_of_club},
    shared_row_finders_by_label={"boards.BoardSet": find_board_sets_of_other_clubs},
    unplayed_event_finders=(list_events_with_secret_boards,),
    running_event_finders=(list_events_in_play,),
    congress_event_finders=(list_newest_congress_event,),
)
