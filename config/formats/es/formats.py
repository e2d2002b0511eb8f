"""Formats of dates and times in Spanish."""

DATE = r"j \d\e F \d\e Y"  # 8 de mayo de 2026
SHORT_DATE = "j b Y"  # 8 may 2026
DATE_TIME = r"j \d\e F \d\e Y, G:i"  # 8 de mayo de 2026, 19:30
SHORT_DATE_TIME = "j b Y, G:i"  # 8 may 2026, 19:30
SHORT_DAY_MONTH = "j b"  # 8 may
DAY_MONTH_TIME = r"j \d\e F, G:i"  # 8 de mayo, 19:30
SHORT_DAY_MONTH_TIME = "j b, G:i"  # 8 may, 19:30
SHORT_DAY_MONTH_SECONDS = "j b, G:i:s"  # 8 may, 19:30:05
MONTH_YEAR = r"F \d\e Y"  # mayo de 2026
SHORT_MONTH = "b"  # may
WEEKDAY_DATE = r"l, j \d\e F \d\e Y"  # viernes, 8 de mayo de 2026
WEEKDAY_DAY_MONTH = r"l, j \d\e F"  # viernes, 8 de mayo
SHORT_WEEKDAY_DATE = "D, j b Y"  # vie, 8 may 2026
SHORT_WEEKDAY_DAY_MONTH = "D, j b"  # vie, 8 may
SHORT_WEEKDAY_DAY_MONTH_TIME = "D, j b, G:i"  # vie, 8 may, 19:30
TIME = "G:i"  # 19:30
