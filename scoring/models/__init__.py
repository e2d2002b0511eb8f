"""The models of results, rulings and standings.

A result is changed only by a new entry, and every value ever entered is stored. A ruling is
stored separately from its result and can be withdrawn. Rankings and standings can be deleted
and recomputed at any time.
"""

from scoring.models.papers import Paper
from scoring.models.play_records import PlayRecord
from scoring.models.ranks import Ranking, Standing, StandingsVersion
from scoring.models.results import Agreement, Doubt, Result, ResultVersion
from scoring.models.rulings import Ruling
from scoring.models.stages import EntryProfile, EventPrize, Final, Knockout, Stage, Strata
from scoring.models.terms import Terms
from scoring.models.written_score import Outcome, WrittenScore
