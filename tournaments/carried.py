"""The archive schema of events and their boards, and of the inverses of their acts."""

from django.db.models import Q, QuerySet

from boards.models import BoardSet
from clubs.archives.known import ArchiveSchema
from clubs.models import Club
from tournaments.models import Session

SEATS = {
    "places.*.3": "tournaments.Entry",
    "newcomer": "tournaments.Entry",
    "new_players.*": "clubs.Player",
    "entry.pk": "tournaments.Entry",
}
"""The keys inside a stored seating (`tournaments.seating_snapshot`)."""
SESSION = {"session": "tournaments.Session"}
PLAYER = {"player": "clubs.Player"}
TWO = {"gone": "clubs.Player", "kept": "clubs.Player"}
MERGED = {
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
"""The keys moved by a merge, by table and column (`tournaments.services.carrying`)."""
PUT_BACK = {"pk": "tournaments.Session", "evening": "clubs.Evening"}


def board_sets_of(club: Club) -> set[int]:
    """Return the keys of all sets that a club's sessions play or have set aside.

    Sets that they replaced or that replaced them are included, because the number of dealings
    counts.
    """
    return _sets(Q(event__club=club))


def board_sets_of_others(club: Club) -> set[int]:
    """Return the keys of all board sets that other clubs' sessions play or have set aside.

    Two clubs can play the same set. Replaced sets are included as in `board_sets_of`.
    """
    return _sets(~Q(event__club=club))


def _sets(sessions: Q) -> set[int]:
    played = Session.objects.filter(sessions).values_list("board_set", "set_aside")
    found = {key for pair in played.iterator() for key in pair if key is not None}
    links = (
        BoardSet.objects.filter(replaces__isnull=False) if found else BoardSet.objects.none()
    )
    chains = [(row.pk, row.replaces_id) for row in links.only("pk", "replaces")]
    grown = True
    while grown:
        linked = (pair for pair in chains if not found.isdisjoint(pair))
        more = {key for pair in linked for key in pair if key is not None}
        grown = not more <= found
        found |= more
    return found


def in_play(club: Club) -> list[str]:
    """Return the names of a club's events with an open session."""
    return _names(Session.objects.filter(event__club=club, state=Session.State.OPEN))


def with_secret_boards(club: Club) -> list[str]:
    """Return the names of a club's events whose cards are known and still to be played."""
    waiting = Session.objects.filter(event__club=club).exclude(state=Session.State.CLOSED)
    known = (
        Q(board_set__isnull=False) | Q(set_aside__isnull=False) | Q(typed_hands__isnull=False)
    )
    return _names(waiting.filter(known))


def _names(sessions: QuerySet[Session]) -> list[str]:
    return sorted({session.event.name for session in sessions.select_related("event")})


CARRIED = ArchiveSchema(
    data={
        "boards.Board.leads": {},
        "boards.BoardSet.promised_before": {},
        "tournaments.SavedMovement.rows": {},
        "tournaments.SeatingChange.what": {},
        "tournaments.SeatingChange.before": SEATS,
        "tournaments.SeatingChange.after": SEATS,
        "tournaments.Section.options": {},
        "tournaments.Sitting.strays": {},
    },
    calls={
        "boards.count_deals": SESSION | {"rows.*": "boards.Board"},
        "boards.decide_later": SESSION,
        "boards.leave_out": SESSION,
        "boards.set_aside": SESSION,
        "boards.take_up": SESSION,
        "entry.put_back": {"pk": "tournaments.Entry"},
        "entry.remove": {"entry": "tournaments.Entry", "new.*": "clubs.Player"},
        "entry.rename": {"entry": "tournaments.Entry", "new.*": "clubs.Player"},
        "event.bring_back": {"also.*": "tournaments.Event"},
        "event.put_away": {"also.*": "tournaments.Event"},
        "event.show": {},
        "movement.drop": {},
        "movement.save": {},
        "people.put_back": {"new.*": "clubs.Player", "changed.*.player": "clubs.Player"},
        "player.merge": TWO,
        "player.part": TWO | MERGED,
        "player.put_back": {"pk": "clubs.Player"},
        "player.remove": PLAYER,
        "player.rename": PLAYER,
        "player.show": PLAYER,
        "second_play.settle": {},
        "seats.places": SESSION | {"places.*.1": "tournaments.Entry"},
        "seats.put_back": SESSION | {"sections.*.places.*.3": "tournaments.Entry"},
        "session.date": SESSION | {"with_series.*": "clubs.Fixture"},
        "session.put_back": PUT_BACK,
        "session.remove": SESSION,
        "trumps.agree": {},
        "wish": {"entry": "tournaments.Entry"},
    },
    words={
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
    rooted={"boards.BoardSet": board_sets_of},
    shared={"boards.BoardSet": board_sets_of_others},
    secret=(with_secret_boards,),
    busy=(in_play,),
)
