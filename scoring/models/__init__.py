"""The rows of what happened and what it is worth.

A result is altered only by entering it anew, and every value ever entered is kept. A ruling
lies beside a result and can be withdrawn.
Ranking and Standing can be deleted and computed again at any time.
"""

from scoring.models.papers import Paper
from scoring.models.play_records import PlayRecord
from scoring.models.ranks import Ranking, Standing, StandingsVersion
from scoring.models.results import Agreement, Doubt, Result, ResultVersion
from scoring.models.rulings import Ruling
from scoring.models.stages import EntryProfile, EventPrize, Final, Knockout, Stage, Strata
from scoring.models.terms import Terms
from scoring.models.written import Outcome, WrittenScore
