"""Models of a drive: players, seats, scores and prizes.

Seats, table scores and card totals are stored. The ranking is computed from them.
"""

from drives.models.drives import Drive, HouseTerms
from drives.models.links import CardLink
from drives.models.players import DrivePlayer
from drives.models.prizes import Award, Prize
from drives.models.rounds import Draw, DriveChange, Round, Seat
from drives.models.scores import CardTotal, CardVersion, Sheet, SheetVersion
