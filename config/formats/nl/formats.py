"""Formats of dates and times in Dutch."""

DATE = "j F Y"  # 8 mei 2026
SHORT_DATE = "j b Y"  # 8 mei 2026
DATE_TIME = "j F Y H:i"  # 8 mei 2026 19:30
SHORT_DATE_TIME = "j b Y H:i"  # 8 mei 2026 19:30
SHORT_DAY_MONTH = "j b"  # 8 mei
DAY_MONTH_TIME = "j F H:i"  # 8 mei 19:30
SHORT_DAY_MONTH_TIME = "j b H:i"  # 8 mei 19:30
SHORT_DAY_MONTH_SECONDS = "j b H:i:s"  # 8 mei 19:30:05
MONTH_YEAR = "F Y"  # mei 2026
SHORT_MONTH = "b"  # mei
WEEKDAY_DATE = "l j F Y"  # vrijdag 8 mei 2026
WEEKDAY_DAY_MONTH = "l j F"  # vrijdag 8 mei
SHORT_WEEKDAY_DATE = "D j b Y"  # vr 8 mei 2026
SHORT_WEEKDAY_DAY_MONTH = "D j b"  # vr 8 mei
SHORT_WEEKDAY_DAY_MONTH_TIME = "D j b H:i"  # vr 8 mei 19:30
TIME = "H:i"  # 19:30
