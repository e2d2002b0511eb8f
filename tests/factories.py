"""The smallest valid row of every model, with real names, and a played session."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import factory
from django.utils import timezone

import scoring.services
import tournaments.services
from boards.models import Board, BoardSet
from boards.whist import PACK, Deal, Seat, deal_pack
from clubs.models import (
    Act,
    Attendance,
    BookedPerson,
    Booking,
    BookingLink,
    CheckIn,
    Club,
    ClubArchive,
    Consent,
    DirectorCall,
    Evening,
    Fixture,
    Logo,
    Membership,
    PersonLink,
    Player,
    RoundClock,
    Series,
    TableLink,
    TwoPeople,
)
from drives.models import (
    Award,
    CardLink,
    CardTotal,
    CardVersion,
    Draw,
    Drive,
    DriveChange,
    DrivePlayer,
    HouseTerms,
    Prize,
    Round,
    Sheet,
    SheetVersion,
)
from drives.models import Seat as DriveSeat
from hall.models import Challenge, HandLink, Rehearsal, TypedHand
from rubbers.models import (
    Belonging,
    HandVersion,
    RubberHand,
    RubberNight,
    RubberPlayer,
    RubberTable,
    Spell,
)
from scoring.models import (
    EntryProfile,
    EventPrize,
    Final,
    Knockout,
    Paper,
    PlayRecord,
    Ranking,
    Result,
    ResultVersion,
    Ruling,
    Stage,
    Standing,
    StandingsVersion,
    Strata,
    Terms,
)
from seasons.calendar.models import BookingFetch
from seasons.grades.models import (
    Grade,
    GradeBook,
    GradeCheckpoint,
    GradeConstants,
    GradeEvening,
    GradeStep,
    HiddenGrade,
)
from seasons.ladders.models import (
    EngravedName,
    Engraving,
    EntryElsewhere,
    EntryHandicap,
    EveningElsewhere,
    Handicap,
    HandicapByHand,
    Ladder,
    Season,
    SeasonHandicap,
    SeasonVersion,
    SeatElsewhere,
    Trophy,
)
from seasons.people.models import EntryFigures
from seasons.publishing.models import (
    ClubFile,
    Destination,
    EventTables,
    Publication,
    Received,
    ReceivedVersion,
    ResultsMail,
)
from server.models import (
    ApiToken,
    Blob,
    ClubDay,
    ClubWork,
    Installed,
    Job,
    LoginNote,
    PublicVersion,
    SignIn,
    User,
    Worker,
    WrongTry,
)
from server.version import VERSION
from tests.copies import build_once
from tournaments.models import (
    Entry,
    EntryLink,
    EntryPlayer,
    Event,
    Place,
    SavedMovement,
    SeatingChange,
    Section,
    Session,
    Sitting,
)
from tournaments.movements import Movement, build_named_movement

NAMES = (
    "Ada Pole", "Łucja Nowak", "Henry Jones", "Fiona Ó Briain", "Kate Wheelock",
    "Émile Zähringer", "John Trist", "Dvora Cohen", "Marta Señor", "Arne Østby",
    "Cassius Paine", "Inès Lefèvre", "Edwin Gale", "Nikos Papadakis", "Rosa Matthews",
    "Ольга Иванова", "William Mott", "Siân Davies", "Grace Clay", "Jiří Novák",
    "Walter Barney", "Ana Conceição", "Theodore Snow", "Zoë Whitfield", "Robert Foster",
    "Ayşe Yılmaz", "Elwell Safford", "Mary Gilman",
)  # fmt: skip


def make_name(number: int) -> str:
    """Return a person's name, different for each number from 0."""
    repetition, name_index = divmod(number, len(NAMES))
    return NAMES[name_index] + (f" {repetition + 1}" if repetition else "")


def make_deal(number: int = 1) -> Deal:
    """Return a valid deal for a board, different for each number."""
    cut_position = number * 7 % 52
    return deal_pack(PACK[cut_position:] + PACK[:cut_position], Seat.find_dealer(number))


class UserFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = User

    # `tests.evenings` creates the user "director".
    username = factory.Sequence(lambda n: f"director{n + 1}")


class ClubFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Club

    name = factory.Sequence(lambda n: f"Riverside Whist Club{f' {n + 1}' if n else ''}")
    slug = factory.Sequence(lambda n: f"riverside{n or ''}")
    has_congress_features = True  # tests/config/test_levels.py has the clubs without


class MembershipFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Membership

    club = factory.SubFactory(ClubFactory)
    user = factory.SubFactory(UserFactory)
    role = Membership.Role.DIRECTOR


class PlayerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Player

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(make_name)


class ConsentFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Consent

    player = factory.SubFactory(PlayerFactory)
    what = Consent.ConsentPurpose.RESULTS_BY_EMAIL
    given = True
    at = factory.LazyFunction(timezone.now)
    by = "director"


class PersonLinkFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = PersonLink

    player = factory.SubFactory(PlayerFactory)
    salt = "5e1f"
    token_hash = factory.Sequence(lambda n: f"{n:064x}")
    created_at = factory.LazyFunction(timezone.now)


class TwoPeopleFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = TwoPeople

    one = factory.SubFactory(PlayerFactory)
    other = factory.SubFactory(PlayerFactory, club=factory.SelfAttribute("..one.club"))


class SeasonFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Season

    club = factory.SubFactory(ClubFactory)
    slug = factory.Sequence(lambda n: f"spring-{n + 1}")
    name = "Spring 2026"
    first_day = date(2026, 1, 1)
    last_day = date(2026, 6, 30)


class LadderFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Ladder

    season = factory.SubFactory(SeasonFactory)
    slug = factory.Sequence(lambda n: f"best-{n + 1}")
    name = "Best five"
    rule = factory.LazyFunction(
        lambda: {"who": "players", "measure": "plus", "combine": "sum", "best": 5}
    )


class ClubFileFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = ClubFile

    club = factory.SubFactory(ClubFactory)
    kind = "site"
    by = "director"
    asked_at = factory.LazyFunction(timezone.now)


class DestinationFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Destination

    club = factory.SubFactory(ClubFactory)
    address = "https://riverside.example/api/clubs/riverside/"
    sealed_token = "sealed"


class TrophyFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Trophy

    club = factory.SubFactory(ClubFactory)
    slug = factory.Sequence(lambda n: f"cup-{n + 1}")
    name = factory.Sequence(lambda n: f"Cup {n + 1}")


class EngravingFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Engraving

    trophy = factory.SubFactory(TrophyFactory)
    year = "2026"


class EngravedNameFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EngravedName

    engraving = factory.SubFactory(EngravingFactory)
    order = 1
    name = "Ann Lee"


class PublicationFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Publication

    club = factory.SubFactory(ClubFactory)
    uid = factory.LazyFunction(uuid4)
    name = "Tuesday"


class ReceivedFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Received

    club = factory.SubFactory(ClubFactory)
    uid = factory.LazyFunction(uuid4)
    kind = "event"
    slug = factory.Sequence(lambda n: f"tuesday-{n + 1}")
    name = "Tuesday"
    day = date(2026, 3, 10)
    version = 1
    digest = "0" * 64
    document = factory.LazyFunction(lambda: {"kind": "event"})
    received_at = factory.LazyFunction(timezone.now)


class ReceivedVersionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = ReceivedVersion

    received = factory.SubFactory(ReceivedFactory)
    number = 1
    at = factory.LazyFunction(timezone.now)


class GradeBookFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = GradeBook

    club = factory.SubFactory(ClubFactory)


class GradeFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Grade

    book = factory.SubFactory(GradeBookFactory)
    player = factory.SubFactory(PlayerFactory, club=factory.SelfAttribute("..book.club"))
    mean = 0.1
    sd = 0.15
    boards = 240
    column = 51.5


class GradeConstantsFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = GradeConstants

    book = factory.SubFactory(GradeBookFactory)
    cause = "owner"
    tried = factory.Dict({"0.25 0.05 0.07": -1.5})


class GradeCheckpointFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = GradeCheckpoint

    book = factory.SubFactory(GradeBookFactory)
    evenings = 1
    stamp = "0" * 64
    is_quarter = False
    state = factory.Dict({"people": []})


class HiddenGradeFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = HiddenGrade

    player = factory.SubFactory(PlayerFactory)


class HandicapFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Handicap

    ladder = factory.SubFactory(LadderFactory)
    player = factory.SubFactory(
        PlayerFactory, club=factory.SelfAttribute("..ladder.season.club")
    )
    a_board = "1/20"


class SeasonHandicapFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = SeasonHandicap

    season = factory.SubFactory(SeasonFactory)
    terms = factory.LazyFunction(lambda: {"figure": "plus", "least": 1})


class HandicapByHandFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = HandicapByHand

    season = factory.SubFactory(SeasonFactory)
    player = factory.SubFactory(PlayerFactory, club=factory.SelfAttribute("..season.club"))
    a_board = "1/5"
    reason = "plays at home too"


class SeasonVersionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = SeasonVersion

    season = factory.SubFactory(SeasonFactory)
    number = 1
    rows = factory.LazyFunction(lambda: {"best": []})
    made_by = "director"
    made_at = factory.LazyFunction(timezone.now)


class EveningElsewhereFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EveningElsewhere

    season = factory.SubFactory(SeasonFactory)
    slug = factory.Sequence(lambda n: f"before-{n + 1}")
    date = date(2026, 2, 3)
    contest = "pairs"
    boards = 24


class EntryElsewhereFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EntryElsewhere

    evening = factory.SubFactory(EveningElsewhereFactory)
    number = factory.Sequence(lambda n: n + 1)
    score = "5/2"
    boards = 24


class SeatElsewhereFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = SeatElsewhere

    entry = factory.SubFactory(EntryElsewhereFactory)
    evening = factory.SelfAttribute("entry.evening")
    player = factory.SubFactory(
        PlayerFactory, club=factory.SelfAttribute("..entry.evening.season.club")
    )
    order = 1
    was_member = True


class EveningFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Evening

    club = factory.SubFactory(ClubFactory)
    date = date(2026, 3, 10)


class CheckInFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = CheckIn

    evening = factory.SubFactory(EveningFactory)
    name = factory.Sequence(lambda n: f"Guest {n + 1}")
    table = factory.Sequence(lambda n: n // 4 % 60 + 1)
    seat = factory.Sequence(lambda n: n % 4 + 1)
    at = factory.LazyFunction(timezone.now)


class SeriesFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Series

    club = factory.SubFactory(ClubFactory)
    slug = factory.Sequence(lambda n: f"tuesdays{n or ''}")
    title = "Tuesdays"
    rule = factory.LazyFunction(
        lambda: {"kind": "weekly", "first": "2026-01-06", "every": 1, "weekday": 1}
    )


class FixtureFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Fixture

    evening = factory.SubFactory(EveningFactory)
    changed_at = factory.LazyFunction(timezone.now)


class BookingFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Booking

    uid = factory.LazyFunction(uuid4)
    fixture = factory.SubFactory(FixtureFactory)
    order = factory.Sequence(lambda n: n + 1)
    made_at = factory.LazyFunction(timezone.now)


class BookingFetchFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = BookingFetch

    club = factory.SubFactory(ClubFactory)
    address = "https://riverside.example/api/clubs/riverside/"
    state = "done"
    by = "director"
    asked_at = factory.LazyFunction(timezone.now)


class BookedPersonFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = BookedPerson

    booking = factory.SubFactory(BookingFactory)
    fixture = factory.SelfAttribute("booking.fixture")
    player = factory.SubFactory(
        "tests.factories.PlayerFactory", club=factory.SelfAttribute("..fixture.evening.club")
    )


class BookingLinkFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = BookingLink

    fixture = factory.SubFactory(FixtureFactory)
    player = factory.SubFactory(
        "tests.factories.PlayerFactory", club=factory.SelfAttribute("..fixture.evening.club")
    )
    salt = factory.Sequence(lambda n: f"{n:032x}")
    token_hash = factory.Sequence(lambda n: f"{n + 7_000:064x}")
    created_at = factory.LazyFunction(timezone.now)


class AttendanceFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Attendance

    fixture = factory.SubFactory(FixtureFactory)
    player = factory.SubFactory(
        "tests.factories.PlayerFactory", club=factory.SelfAttribute("..fixture.evening.club")
    )
    fee = 300


class EventFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Event
        skip_postgeneration_save = True

    club = factory.SubFactory(ClubFactory)
    slug = factory.Sequence(lambda n: f"tuesday-compass-{n + 1}")
    name = "Tuesday compass"
    date = date(2026, 3, 10)
    terms = factory.RelatedFactory("tests.factories.TermsFactory", "event")


class TermsFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Terms

    event = factory.SubFactory(EventFactory, terms=None)
    method = "plus_minus"


class ResultsMailFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = ResultsMail

    event = factory.SubFactory(EventFactory)
    player = factory.SubFactory(PlayerFactory, club=factory.SelfAttribute("..event.club"))
    version = 1
    at = factory.LazyFunction(timezone.now)


class EntryFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Entry

    event = factory.SubFactory(EventFactory)
    number = factory.Sequence(lambda n: n + 1)
    name = factory.Sequence(lambda n: f"{make_name(2 * n)} & {make_name(2 * n + 1)}")


class EntryHandicapFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EntryHandicap

    season = factory.SubFactory(SeasonFactory)
    entry = factory.SubFactory(
        EntryFactory,
        event=factory.SubFactory(EventFactory, club=factory.SelfAttribute("...season.club")),
    )
    a_board = "3/50"


class EntryFiguresFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EntryFigures

    entry = factory.SubFactory(EntryFactory)
    version = 1
    parts = "2"
    cells = factory.LazyFunction(lambda: [[0, "NS", "?", 2, 1, 1]])


class EventTablesFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EventTables

    event = factory.SubFactory(EventFactory)
    stamp = factory.Sequence(lambda n: f"{n:064x}")
    body = b"x"


class EntryPlayerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EntryPlayer

    entry = factory.SubFactory(EntryFactory)
    player = factory.SubFactory(PlayerFactory, club=factory.SelfAttribute("..entry.event.club"))
    order = 1


class BoardSetFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = BoardSet

    name = "Tuesday compass, session 1"
    source = BoardSet.Source.TYPED
    state = BoardSet.State.READY
    size = 1
    made = 0


class BoardFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Board

    class Params:
        of = factory.LazyAttribute(lambda board: make_deal(board.number))

    board_set = factory.SubFactory(BoardSetFactory)
    number = 1
    dealer = factory.LazyAttribute(lambda board: board.of.dealer.value)
    deal = factory.LazyAttribute(lambda board: Board.from_deal(None, 1, board.of).deal)
    turn_up = factory.LazyAttribute(lambda board: board.of.turn_up.code)


class SessionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Session

    event = factory.SubFactory(EventFactory)
    evening = factory.SubFactory(
        EveningFactory,
        club=factory.SelfAttribute("..event.club"),
        date=factory.SelfAttribute("..event.date"),
    )
    number = 1


class SectionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Section

    session = factory.SubFactory(SessionFactory)
    letter = "A"
    movement = "compass"
    tables = 3
    rounds = 3


class PlaceFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Place

    section = factory.SubFactory(SectionFactory)
    number = factory.Sequence(lambda n: n + 1)
    label = factory.LazyAttribute(lambda place: f"{place.number}{place.field}")
    field = "NS"
    entry = factory.SubFactory(
        EntryFactory, event=factory.SelfAttribute("..section.session.event")
    )


class SittingFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Sitting

    section = factory.SubFactory(SectionFactory)
    round = 1
    table = 1
    north = factory.SubFactory(PlaceFactory, section=factory.SelfAttribute("..section"))
    east = factory.SubFactory(
        PlaceFactory, section=factory.SelfAttribute("..section"), field="EW"
    )
    south = factory.SelfAttribute("north")
    west = factory.SelfAttribute("east")
    board_group = 1


class SavedMovementFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = SavedMovement

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(lambda n: f"Our own {n + 1}")
    rows = factory.LazyFunction(
        lambda: [{"round": 1, "table": 1, "ns": "1", "ew": "2", "group": 1}]
    )


class SeatingChangeFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = SeatingChange

    session = factory.SubFactory(SessionFactory)
    at = factory.LazyFunction(timezone.now)
    by = "director"
    what = factory.LazyFunction(lambda: {"kind": "turned", "table": 3, "first": 2, "last": 2})
    way = "planned"
    before = factory.LazyFunction(lambda: {"sittings": []})
    after = factory.LazyFunction(lambda: {"sittings": []})


class ActFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Act

    at = factory.LazyFunction(timezone.now)
    by = "director"
    way = "pages"
    action = "event.created"
    club = "riverside"
    about = "event:tuesday"


class ResultFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Result

    sitting = factory.SubFactory(SittingFactory)
    board = 1
    ns_tricks = 7


class ResultVersionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = ResultVersion

    result = factory.SubFactory(ResultFactory)
    number = 1
    outcome = factory.SelfAttribute("result.outcome")
    ns_tricks = factory.SelfAttribute("result.ns_tricks")
    by = "director"
    at = factory.LazyFunction(timezone.now)
    via = ResultVersion.InputChannel.GRID


class RulingFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Ruling

    result = factory.SubFactory(ResultFactory)
    session = factory.SelfAttribute("result.sitting.section.session")
    kind = Ruling.Kind.AVERAGE
    law = "V.1"
    made_by = "director"
    made_at = factory.LazyFunction(timezone.now)


class RankingFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Ranking

    event = factory.SubFactory(EventFactory)


class StandingFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Standing

    ranking = factory.SubFactory(RankingFactory)
    section = "A"
    field = "NS"
    average = "174"
    entry = factory.SubFactory(EntryFactory, event=factory.SelfAttribute("..ranking.event"))
    label = "1NS"
    rank = 1
    score = "9"
    tricks = "183"
    boards = 28


class StandingsVersionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = StandingsVersion

    event = factory.SubFactory(EventFactory)
    number = factory.Sequence(lambda n: n + 1)
    rows = [{"label": "1NS", "rank": 1}]
    made_by = "director"
    made_at = datetime(2026, 3, 10, 22, 40, tzinfo=UTC)


class TableLinkFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = TableLink

    evening = factory.SubFactory(EveningFactory)
    table = 1
    salt = "5e1f"
    token_hash = factory.Sequence(lambda n: f"{n:064x}")
    created_at = factory.LazyFunction(timezone.now)


class HandLinkFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = HandLink

    session = factory.SubFactory(SessionFactory)
    salt = "5e1f"
    token_hash = factory.Sequence(lambda n: f"{n:064x}")
    created_at = factory.LazyFunction(timezone.now)
    ends_at = factory.LazyFunction(lambda: timezone.now() + timedelta(hours=24))


class TypedHandFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = TypedHand

    session = factory.SubFactory(SessionFactory)
    board = 1
    seat = "N"
    cards = "AKQJT98765432..."
    at = factory.LazyFunction(timezone.now)


class DirectorCallFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = DirectorCall

    evening = factory.SubFactory(EveningFactory)
    table = 1
    at = factory.LazyFunction(timezone.now)


class EntryLinkFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EntryLink

    entry = factory.SubFactory(EntryFactory)
    salt = "5e1f"
    token_hash = factory.Sequence(lambda n: f"{n:064x}")
    created_at = factory.LazyFunction(timezone.now)


class ChallengeFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Challenge

    result = factory.SubFactory(ResultFactory)
    entry = factory.SubFactory(EntryFactory)
    ns_tricks = 8
    was = "7"
    asked_at = factory.LazyFunction(timezone.now)


class RehearsalFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Rehearsal

    event = factory.SubFactory(EventFactory, is_rehearsal=True)
    of = factory.SubFactory(SessionFactory)
    seed = "5eed"
    script = factory.LazyFunction(lambda: [{"kind": "late", "section": "A", "round": 1}])


class RoundClockFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = RoundClock

    evening = factory.SubFactory(EveningFactory)


class PaperFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Paper

    session = factory.SubFactory(SessionFactory)
    kind = "travellers"
    size = Event.PaperSize.A4
    ordered_by = "director"
    ordered_at = factory.LazyFunction(timezone.now)


class LogoFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Logo

    club = factory.SubFactory(ClubFactory)
    image = b"a picture"


class ClubArchiveFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = ClubArchive

    way = ClubArchive.Direction.EXPORT
    club = factory.SubFactory(ClubFactory)
    by = "owner"
    asked_at = factory.LazyFunction(timezone.now)


class ClubDayFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = ClubDay

    club = factory.Sequence(lambda number: number + 1)
    day = factory.LazyFunction(lambda: timezone.now().date())
    quota = "papers"
    amount = 3


class ClubWorkFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = ClubWork

    club = factory.Sequence(lambda number: number + 1)
    minute = factory.LazyFunction(timezone.now)
    seconds = 1.5


class BlobFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Blob

    name = factory.Sequence(lambda n: f"papers/slips-{n}.pdf")
    content = b"%PDF-1.7"


class PublicVersionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = PublicVersion

    about = factory.Sequence(lambda number: f"event:evening-{number}")
    number = 1


class JobFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Job

    kind = "standings"
    about = factory.Sequence(lambda number: number + 1)
    lane = Job.Lane.NOW
    wanted_at = not_before = factory.LazyFunction(timezone.now)


class WorkerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Worker

    name = factory.Sequence(lambda number: f"worker {number}")
    seen_at = factory.LazyFunction(timezone.now)


class SignInFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = SignIn

    user = factory.SubFactory(UserFactory)
    session_key = factory.Sequence(lambda number: f"session{number}")
    at = seen_at = factory.LazyFunction(timezone.now)
    device = "Firefox on Windows"
    address = "192.0.2.*"


class WrongTryFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = WrongTry

    at = factory.LazyFunction(timezone.now)
    name = "0" * 64
    address = "1" * 64


class ApiTokenFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = ApiToken

    user = factory.SubFactory(UserFactory)
    name = "the website"
    hash = factory.Sequence(lambda number: f"{number:064x}")
    tail = "abcd"
    scopes = "read score"
    made_at = factory.LazyFunction(timezone.now)
    ends_at = factory.LazyFunction(lambda: timezone.now() + timedelta(days=90))


class LoginNoteFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = LoginNote

    at = factory.LazyFunction(timezone.now)
    user = factory.SubFactory(UserFactory)
    name = "director"
    what = LoginNote.EventKind.SIGNED_IN


class InstalledFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Installed

    version = VERSION
    shape = "0" * 64
    at = factory.LazyFunction(timezone.now)
    by = "overplay"


class PlayRecordFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = PlayRecord

    club = factory.SubFactory(ClubFactory)
    title = "The first of Pole's hands"
    dealer = "E"
    deal = "N:62.K8642.9632.A7 QJ.953.KQJ87.942 AKT943.T7.54.K86 875.AQJ.AT.QJT53"
    turn_up = "H9"
    cards = "SK S5 S6 SJ"
    best = factory.LazyFunction(lambda: [7, 7])
    entered_by = "director"
    entered_at = factory.LazyFunction(timezone.now)


class StageFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Stage

    event = factory.SubFactory(EventFactory)
    rule = {"finals": [["A final", 8], ["B final", None]], "lot": "a seed"}


class FinalFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Final

    stage = factory.SubFactory(StageFactory)
    order = 1
    name = "A final"
    event = factory.SubFactory(EventFactory)


class KnockoutFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Knockout

    event = factory.SubFactory(EventFactory)
    seeds = [1, 2]


class StrataFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Strata

    event = factory.SubFactory(EventFactory)
    lines = [["A", "5"], ["B", "0"]]


class EntryProfileFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EntryProfile

    entry = factory.SubFactory(EntryFactory)
    seed = 1


class EventPrizeFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EventPrize

    event = factory.SubFactory(EventFactory)
    order = 1
    name = "The Riverside Cup"


class HouseTermsFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = HouseTerms

    club = factory.SubFactory(ClubFactory)
    terms = factory.LazyFunction(lambda: {"first_word": "lady", "second_word": "gent"})


class DriveFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Drive

    club = factory.SubFactory(ClubFactory)
    evening = factory.SubFactory(EveningFactory, club=factory.SelfAttribute("..club"))
    slug = factory.Sequence(lambda n: f"friday{n or ''}")
    name = "Friday drive"
    form = "social"
    score = factory.LazyFunction(lambda: {"kind": "tricks"})
    hands = 4
    rounds = 6
    secret = b"c0ffee"


class DrivePlayerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = DrivePlayer

    drive = factory.SubFactory(DriveFactory)
    number = factory.Sequence(lambda n: n + 1)
    name = factory.Sequence(make_name)


class DrawFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Draw

    drive = factory.SubFactory(DriveFactory)
    kind = Draw.Kind.DRAWN
    first = 1
    drawn_at = factory.LazyFunction(timezone.now)
    drawn_by = "director"


class RoundFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Round

    drive = factory.SubFactory(DriveFactory)
    number = 1
    trumps = "H"
    draw = factory.SubFactory(DrawFactory, drive=factory.SelfAttribute("..drive"))


class DriveSeatFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = DriveSeat

    round = factory.SubFactory(RoundFactory)
    player = factory.SubFactory(
        DrivePlayerFactory, drive=factory.SelfAttribute("..round.drive")
    )
    table = 1
    seat = 1


class DriveChangeFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = DriveChange

    drive = factory.SubFactory(DriveFactory)
    before = factory.LazyFunction(lambda: {"rounds": {"1": None}})
    after = factory.LazyFunction(lambda: {"rounds": {"1": {"tables": [[1, 2, 3, 4]]}}})


class SheetFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Sheet

    round = factory.SubFactory(RoundFactory)
    table = 1
    score = factory.LazyFunction(lambda: [8, 5])


class SheetVersionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = SheetVersion

    sheet = factory.SubFactory(SheetFactory)
    score = factory.LazyFunction(lambda: [8, 5])
    entered_by = "director"
    entered_at = factory.LazyFunction(timezone.now)
    way = "pages"


class CardTotalFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = CardTotal

    player = factory.SubFactory(DrivePlayerFactory)
    total = 156


class CardVersionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = CardVersion

    card = factory.SubFactory(CardTotalFactory)
    total = 156
    entered_by = "director"
    entered_at = factory.LazyFunction(timezone.now)
    way = "pages"


class PrizeFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Prize

    drive = factory.SubFactory(DriveFactory)
    number = 1
    words = "Highest lady"
    field = "first"


class AwardFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Award

    prize = factory.SubFactory(PrizeFactory)
    order = 1
    player = factory.SubFactory(
        DrivePlayerFactory, drive=factory.SelfAttribute("..prize.drive")
    )
    why = "place 1, 156 points"


class CardLinkFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = CardLink

    holder = factory.SubFactory(DrivePlayerFactory)
    salt = "5e1f"
    token_hash = factory.Sequence(lambda n: f"{n:064x}")
    created_at = factory.LazyFunction(timezone.now)


class RubberNightFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = RubberNight

    club = factory.SubFactory(ClubFactory)
    evening = factory.SubFactory(EveningFactory, club=factory.SelfAttribute("..club"))
    slug = factory.Sequence(lambda n: f"rubbers{n or ''}")
    name = "Thursday rubbers"
    code = "pole"
    terms = factory.LazyFunction(lambda: {"best_of": 3})
    secret = b"c0ffee"


class RubberPlayerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = RubberPlayer

    night = factory.SubFactory(RubberNightFactory)
    number = factory.Sequence(lambda n: n + 1)
    name = factory.Sequence(make_name)


class RubberTableFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = RubberTable

    night = factory.SubFactory(RubberNightFactory)
    number = 1


class BelongingFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Belonging

    table = factory.SubFactory(RubberTableFactory)
    holder = factory.SubFactory(
        RubberPlayerFactory, night=factory.SelfAttribute("..table.night")
    )


class SpellFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Spell

    table = factory.SubFactory(RubberTableFactory)
    number = 1
    seats = factory.LazyFunction(lambda: [1, 2, 3, 4])
    dealer = 1
    cuts = factory.LazyFunction(lambda: {"by": "cards", "out": [], "in": [{"1": 1, "2": 2}]})
    substitutes = factory.LazyFunction(lambda: {"3": "Eve"})


class RubberHandFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = RubberHand

    table = factory.SubFactory(RubberTableFactory)
    spell = 1
    number = 1
    told = factory.LazyFunction(lambda: {"tricks": {"A": 9, "B": 4}})


class HandVersionFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = HandVersion

    hand = factory.SubFactory(RubberHandFactory)
    told = factory.LazyFunction(lambda: {"tricks": {"A": 9, "B": 4}})
    entered_by = "director"
    entered_at = factory.LazyFunction(timezone.now)
    way = "pages"


def choose_tricks(round_: int, table: int, board: int) -> int:
    """Return the tricks of N-S, different at each table."""
    return (3 * round_ + 5 * table + 7 * board) % 14


@build_once
def create_seated_session(
    movement: Movement | None = None,
    *,
    boards_a_round: int = 2,
    method: str = "plus_minus",
    club: Club | None = None,
    by: User | None = None,
) -> Session:
    """Enter as many pairs as a movement takes, seat them and start the session."""
    movement = movement or build_named_movement("compass", tables=3)
    event = scoring.services.create_event(
        club=club or ClubFactory(),
        name="Tuesday compass",
        date=date(2026, 3, 10),
        method=method,
        by=by,
    )
    for number in range(len(movement.occupied_places)):
        names = [make_name(2 * number), make_name(2 * number + 1)]
        tournaments.services.create_entry(event=event, names=names, by=by)
    session = event.sessions.get()
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=boards_a_round, by=by
    )
    return scoring.services.open_session(session=session, by=by)


@build_once
def create_played_session(
    movement: Movement | None = None,
    *,
    tricks: Callable[[int, int, int], int] = choose_tricks,
    rounds: int | None = None,
    closed: bool = False,
    **options: Any,
) -> Session:
    """Play a seated session through the services, or its first rounds only."""
    session = create_seated_session(movement, **options)
    by = options.get("by")
    sittings = Sitting.objects.filter(
        section__session=session, north__entry__isnull=False, east__entry__isnull=False
    )
    for sitting in sittings.filter(round__lte=rounds) if rounds else sittings:
        for board in session.get_group_boards(sitting.board_group):
            scoring.services.record_result(
                sitting=sitting,
                board_number=board,
                mark=str(tricks(sitting.round, sitting.table, board)),
                seen_score="",
                by=by,
            )
    if closed:
        scoring.services.close_session(session=session, by=by)
    session.refresh_from_db()
    return session


class GradeEveningFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = GradeEvening

    event = factory.SubFactory(EventFactory)
    stamp = "1 4.10.40 2026-03-03/tuesday 1"
    facts = factory.Dict({"boards": []})


class GradeStepFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = GradeStep

    book = factory.SubFactory(GradeBookFactory)
    player = factory.SubFactory(PlayerFactory, club=factory.SelfAttribute("..book.club"))
    event = factory.SubFactory(EventFactory, club=factory.SelfAttribute("..book.club"))
    boards = 24
    expected = 0.5
    made = 2.0
    mean = 0.1
    sd = 0.15
    all_boards = 240
    column = 51.5
