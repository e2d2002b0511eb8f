"""What an archive has to know of results, rulings and standings."""

from clubs.archives.known import Known

RESULT = {"result": "scoring.Result"}
CHANGE = {"change": "tournaments.SeatingChange"}
RULING = {"ruling": "scoring.Ruling"}

CARRIED = Known(
    data={
        "scoring.PlayRecord.best": {},
        "scoring.Ranking.public": {},  # its entries stand there by their numbers
        "scoring.StandingsVersion.rows": {},
        "scoring.Terms.tie_breaks": {},
    },
    calls={
        "board.put_right": {"sitting": "tournaments.Sitting"},
        "event.edit": {"sessions.*": "tournaments.Session"},
        "play.count": {"record": "scoring.PlayRecord"},
        "result.ask_again": RESULT,
        "result.await_yes": RESULT,
        "result.keep": RESULT,
        "ruling.make_again": RULING,
        "ruling.withdraw": RULING,
        "scoring.settle": {},
        "seats.repeat_change": CHANGE,
        "seats.undo_change": CHANGE,
        "session.close": {"session": "tournaments.Session"},
        "session.open": {"session": "tournaments.Session"},
        "session.reopen": {"session": "tournaments.Session"},
        "session.unopen": {"session": "tournaments.Session"},
    },
    words={
        "play/play.count": "scoring.PlayRecord",
        "result": "scoring.Result",
        "ruling": "scoring.Ruling",
        "scoring": "",
        "sitting": "tournaments.Sitting",
    },
)
