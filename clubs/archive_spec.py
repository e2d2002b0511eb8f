"""The part of the archive specification for the `clubs` and `server` apps.

It declares which JSON values contain primary keys, and which models are not archived.
"""

from clubs.archives.spec import ArchiveSpec

# the arguments of undo functions that contain primary keys, with the labels of their models
TWO_PLAYER_REFERENCES = {"one": "clubs.Player", "other": "clubs.Player"}

FIXTURE_REFERENCE = {"fixture": "clubs.Fixture"}
SERIES_REFERENCE = {"series": "clubs.Series"}

ARCHIVE_SPEC = ArchiveSpec(
    reference_paths_by_field={
        "clubs.Act.where": {"event": "@tournaments.Event"},
        "clubs.Act.before": {},
        "clubs.Act.after": {},
        # the keys depend on the inverse: `reference_paths_by_inverse_name`
        "clubs.Act.back": {},
        "clubs.Club.room_plan": {},
        "clubs.Fixture.entered": {"*": "clubs.Player"},
        "clubs.Series.holidays": {},
        "clubs.Series.rule": {},
        "clubs.RoundClock.added": {},
        "clubs.RoundClock.added_moving": {},
    },
    reference_paths_by_inverse_name={
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
        "check_in.put_back": {
            "evening": "clubs.Evening",
            "rows.*.id": "clubs.CheckIn",
            "rows.*.player_id": "clubs.Player",
            "new.*": "clubs.CheckIn",
        },
        "check_in.state": {"evening": "clubs.Evening"},
        "fixture.cancel": FIXTURE_REFERENCE,
        "fixture.change": FIXTURE_REFERENCE,
        "fixture.revive": FIXTURE_REFERENCE,
        "series.change": SERIES_REFERENCE,
        "series.end": SERIES_REFERENCE,
        "series.resume": SERIES_REFERENCE,
        "clock": {"evening": "clubs.Evening"},
        "club.congress": {},
        "club.currency": {},
        "club.hours": {},
        "club.language": {},
        "club.look": {},
        "club.room_plan": {},
        "links.revoke": {"links.*": "clubs.TableLink"},
        "person.put": {"player": "clubs.Player"},
        "person_links.revoke": {"links.*": "clubs.PersonLink"},
        "players.apart": TWO_PLAYER_REFERENCES,
        "players.ask_again": TWO_PLAYER_REFERENCES,
    },
    model_labels_by_subject={
        "club": "",
        "check_in": "clubs.CheckIn",
        "check_ins": "clubs.Evening",
        "clock": "clubs.Evening",
        "person link": "clubs.PersonLink",
        "table link": "clubs.TableLink",
        "attendance": "clubs.Attendance",
        "booking link": "clubs.BookingLink",
        "bookings": "clubs.Fixture",
        "fixture": "clubs.Fixture",
        "series": "clubs.Series",
    },
    exclusion_reasons_by_label={
        "clubs.ClubArchive": "the exports and imports belong to one machine",
        "server.*": "logins, jobs and installed programs belong to one machine; the members "
        "are archived by their login names (clubs.archives.logins)",
        "account.*": "the e-mail addresses of logins belong to one machine",
        "mfa.*": "a second factor is valid on one machine only",
        "admin.*": "the log of administrators' actions belongs to one machine",
        "auth.*": "rights in the administration belong to one machine",
        "contenttypes.*": "the program's own list of tables",
        "sessions.*": "the sessions of users belong to one machine",
    },
)
