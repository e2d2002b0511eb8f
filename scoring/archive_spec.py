"""The archive specification of results, rulings and standings."""

from clubs.archives.spec import ArchiveSpec

RESULT_REFERENCE = {"result": "scoring.Result"}
CHANGE_REFERENCE = {"change": "tournaments.SeatingChange"}
RULING_REFERENCE = {"ruling": "scoring.Ruling"}

ARCHIVE_SPEC = ArchiveSpec(
    reference_paths_by_field={
        "scoring.EntryProfile.ratings": {},
        "scoring.EntryProfile.tags": {},
        "scoring.Final.brought": {},  # has the numbers of entries, not their primary keys
        "scoring.Final.told": {},
        "scoring.Knockout.matches": {},
        "scoring.Knockout.seeds": {},
        "scoring.PlayRecord.best": {},
        "scoring.Stage.drawn": {},
        "scoring.Stage.rule": {},
        "scoring.Strata.lines": {},
        "scoring.Ranking.public": {},  # has the numbers of entries, not their primary keys
        "scoring.StandingsVersion.rows": {},
        "scoring.Terms.tie_breaks": {},
    },
    reference_paths_by_inverse_name={
        "board.put_right": {"sitting": "tournaments.Sitting"},
        "check_in.reopen": {
            "session": "tournaments.Session",
            "entries.*.entry": "tournaments.Entry",
            "entries.*.new.*": "clubs.Player",
        },
        "entries.profile": {},
        "event.edit": {
            "sessions.*": "tournaments.Session",
            "with_series.*": "clubs.Fixture",
        },
        "knockout.matches": {},
        "knockout.settle": {},
        "play.count": {"record": "scoring.PlayRecord"},
        "prizes.settle": {},
        "result.ask_again": RESULT_REFERENCE,
        "result.await_yes": RESULT_REFERENCE,
        "result.keep": RESULT_REFERENCE,
        "ruling.make_again": RULING_REFERENCE,
        "ruling.withdraw": RULING_REFERENCE,
        "scoring.settle": {},
        "seats.repeat_change": CHANGE_REFERENCE,
        "seats.undo_change": CHANGE_REFERENCE,
        "session.close": {"session": "tournaments.Session"},
        "session.open": {"session": "tournaments.Session"},
        "session.reopen": {"session": "tournaments.Session"},
        "session.unopen": {"session": "tournaments.Session"},
        "stage.draw": {},
        "stage.settle": {},
        "stage.undraw": {},
        "strata.settle": {},
    },
    model_labels_by_subject={
        "knockout": "",
        "prizes": "",
        "profiles": "",
        "stage": "",
        "strata": "",
        "play/play.count": "scoring.PlayRecord",
        "result": "scoring.Result",
        "ruling": "scoring.Ruling",
        "scoring": "",
        "sitting": "tournaments.Sitting",
    },
)
