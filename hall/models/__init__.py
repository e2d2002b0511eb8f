"""The rows of an evening under way: challenges, hands that are typed in, rehearsals."""

from hall.models.challenges import Challenge
from hall.models.hand_links import HandLink, TypedHand
from hall.models.rehearsals import Rehearsal
