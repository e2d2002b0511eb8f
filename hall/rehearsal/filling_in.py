"""Results made up for an evening at once: for the demo, and to measure with."""

from clubs.audit import Actor
from hall.rehearsal.evening import sats_of, worths_of
from hall.rehearsal.script import plausible_tricks
from scoring.models import ResultVersion
from scoring.services.results import record_result
from scoring.sittings import room
from tournaments.models import Session, Sitting


def make_up_results(*, session: Session, rounds: int, seed: str, by: Actor) -> int:
    """Enter plausible results for the first rounds of an evening in play; return how many.

    What is there already stays, so that a run that was broken off is finished by the next.
    """
    seated, worths = room(session), worths_of(session)
    sittings = Sitting.objects.in_bulk(table.sitting for table in seated.tables)
    by_at = {(it.section, it.round, it.table): it.sitting for it in seated.tables}
    entered = 0
    for sat in sats_of(seated):
        sitting = sittings[by_at[sat.at]]
        for board in sat.boards if sat.at.round <= rounds else ():
            if (sitting.pk, board) in seated.results:
                continue
            tricks = plausible_tricks(seed, sat, board, worths.get(board))
            record_result(
                sitting=sitting,
                board=board,
                mark=str(tricks),
                seen="",
                by=by,
                via=ResultVersion.Via.DEMO,
            )
            entered += 1
    return entered
