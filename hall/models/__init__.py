"""The models of challenges, typed hands and rehearsals."""

from hall.models.challenges import Challenge
from hall.models.hand_links import HandLink, TypedHand
from hall.models.rehearsals import Rehearsal
