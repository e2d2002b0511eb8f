"""From a drive to an evening with trays, with the same people."""
