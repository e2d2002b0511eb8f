"""The rows of clubs, of who may do what there, of players, and of what was done."""

from clubs.models.acts import Act
from clubs.models.clubs import Club, Membership, Player

__all__ = ["Act", "Club", "Membership", "Player"]
