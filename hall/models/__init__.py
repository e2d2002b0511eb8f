"""The models of an evening in progress: challenges, typed hands, rehearsals."""

from hall.models.challenges import Challenge
from hall.models.hand_links import HandLink, TypedHand
from hall.models.rehearsals import Rehearsal
