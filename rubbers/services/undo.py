"""Services that undo acts in the history of a rubber night."""

from clubs.activities.services import undo_activity_act, undo_newest_act
from clubs.audit import Actor
from clubs.models import Act
from rubbers.models import RubberNight
from rubbers.services.inverses import INVERSES


def undo_act(*, night: RubberNight, act: Act, by: Actor) -> None:
    """Undo an act of a night.

    Raises ActionUnavailable with the reason if the act cannot be undone.
    """
    undo_activity_act(activity=night, act=act, inverses_by_name=INVERSES, by=by)


def undo_last_act(
    *, night: RubberNight, table: int | None = None, round: int = 0, by: Actor
) -> Act:
    """Undo the last act of a night or, if `table` is given, the last act of that table.

    Raises ActionUnavailable if there is no such act.
    """

    def is_act_of_table(act: Act) -> bool:
        act_table_and_round = act.where.get("table"), act.where.get("round", 0)
        return table is None or act_table_and_round == (table, round)

    return undo_newest_act(
        activity=night, inverses_by_name=INVERSES, is_offered=is_act_of_table, by=by
    )
