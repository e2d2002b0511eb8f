"""The rows of a drive: who plays, where everybody sits, what was entered, who has a prize.

Seats, sheets and totals keep what really happened; who stands where is worked out from them.
"""

from drives.models.drives import Drive, HouseTerms
from drives.models.links import CardLink
from drives.models.players import DrivePlayer
from drives.models.prizes import Award, Prize
from drives.models.rounds import Draw, DriveChange, Round, Seat
from drives.models.scores import CardTotal, CardVersion, Sheet, SheetVersion
