"""Formats of dates and times in British English."""

DATE = "j F Y"  # 8 May 2026
SHORT_DATE = "j M Y"  # 8 May 2026
DATE_TIME = "j F Y, H:i"  # 8 May 2026, 19:30
SHORT_DATE_TIME = "j M Y, H:i"  # 8 May 2026, 19:30
SHORT_DAY_MONTH = "j M"  # 8 May
DAY_MONTH_TIME = "j F, H:i"  # 8 May, 19:30
SHORT_DAY_MONTH_TIME = "j M, H:i"  # 8 May, 19:30
SHORT_DAY_MONTH_SECONDS = "j M, H:i:s"  # 8 May, 19:30:05
MONTH_YEAR = "F Y"  # May 2026
SHORT_MONTH = "M"  # May
WEEKDAY_DATE = "l j F Y"  # Friday 8 May 2026
WEEKDAY_DAY_MONTH = "l j F"  # Friday 8 May
SHORT_WEEKDAY_DATE = "D j M Y"  # Fri 8 May 2026
SHORT_WEEKDAY_DAY_MONTH = "D j M"  # Fri 8 May
SHORT_WEEKDAY_DAY_MONTH_TIME = "D j M, H:i"  # Fri 8 May, 19:30
TIME = "H:i"  # 19:30
