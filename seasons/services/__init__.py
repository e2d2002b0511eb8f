"""Every change to a season: a verb, atomic and audited."""

from seasons.services.closing import close_season
from seasons.services.importing import begin_season, import_season, remove_season

__all__ = ["begin_season", "close_season", "import_season", "remove_season"]
