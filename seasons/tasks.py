"""What a worker does for a club's year: zips that were asked for, and what is to be sent."""

from seasons.site.ordering import FILE

KINDS = (FILE,)
