"""A player's boards against what the same side made elsewhere, added up exactly."""
