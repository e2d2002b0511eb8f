"""The archive declarations of this app, and of the server app below it."""

from clubs.archives.known import ArchiveSchema

TWO = {"one": "clubs.Player", "other": "clubs.Player"}

FIXTURE = {"fixture": "clubs.Fixture"}
SERIES = {"series": "clubs.Series"}

CARRIED = ArchiveSchema(
    data={
        "clubs.Act.where": {"event": "@tournaments.Event"},
        "clubs.Act.before": {},
        "clubs.Act.after": {},
        "clubs.Act.back": {},  # by its inverse, see `calls`
        "clubs.Club.room_plan": {},
        "clubs.Fixture.entered": {"*": "clubs.Player"},
        "clubs.Series.holidays": {},
        "clubs.Series.rule": {},
        "clubs.RoundClock.added": {},
        "clubs.RoundClock.added_moving": {},
    },
    calls={
        "attendance.put_back": {
            "rows.*.id": "clubs.Attendance",
            "rows.*.fixture_id": "clubs.Fixture",
            "rows.*.player_id": "clubs.Player",
            "rows.*.settled_on_id": "clubs.Fixture",
            "new.*": "clubs.Attendance",
        },
        "bookings.put_back": {
            "rows.*.id": "clubs.Booking",
            "rows.*.asks_id": "clubs.Booking",
            "rows.*.people.*.id": "clubs.BookedPerson",
            "rows.*.people.*.player": "clubs.Player",
            "new.*": "clubs.Booking",
        },
        "fixture.cancel": FIXTURE,
        "fixture.change": FIXTURE,
        "fixture.revive": FIXTURE,
        "series.change": SERIES,
        "series.end": SERIES,
        "series.resume": SERIES,
        "clock": {"evening": "clubs.Evening"},
        "club.currency": {},
        "club.hours": {},
        "club.look": {},
        "club.room_plan": {},
        "links.revoke": {"links.*": "clubs.TableLink"},
        "person.put": {"player": "clubs.Player"},
        "person_links.revoke": {"links.*": "clubs.PersonLink"},
        "players.apart": TWO,
        "players.ask_again": TWO,
    },
    words={
        "club": "",
        "clock": "clubs.Evening",
        "person link": "clubs.PersonLink",
        "table link": "clubs.TableLink",
        "attendance": "clubs.Attendance",
        "booking link": "clubs.BookingLink",
        "bookings": "clubs.Fixture",
        "fixture": "clubs.Fixture",
        "series": "clubs.Series",
    },
    left={
        "clubs.ClubArchive": "an archive that was made here, or has come here",
        "server.*": "logins, jobs and what is installed belong to a machine; a club's members "
        "travel as names (clubs.archives.logins)",
        "account.*": "where a login gets its mail belongs to a machine",
        "mfa.*": "second factors are a secret between a login and one machine",
        "admin.*": "what administrators did on that machine",
        "auth.*": "rights of the administration belong to a machine",
        "contenttypes.*": "the program's own list of its tables",
        "sessions.*": "who is signed in on that machine",
    },
)
