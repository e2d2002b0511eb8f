"""Formats of dates and times in Norwegian Bokmål."""

DATE = "j. F Y"  # 8. mai 2026
SHORT_DATE = "j. N Y"  # 8. mai 2026
DATE_TIME = "j. F Y, H:i"  # 8. mai 2026, 19:30
SHORT_DATE_TIME = "j. N Y, H:i"  # 8. mai 2026, 19:30
SHORT_DAY_MONTH = "j. N"  # 8. mai
DAY_MONTH_TIME = "j. F, H:i"  # 8. mai, 19:30
SHORT_DAY_MONTH_TIME = "j. N, H:i"  # 8. mai, 19:30
SHORT_DAY_MONTH_SECONDS = "j. N, H:i:s"  # 8. mai, 19:30:05
MONTH_YEAR = "F Y"  # mai 2026
SHORT_MONTH = "b"  # mai
WEEKDAY_DATE = "l j. F Y"  # fredag 8. mai 2026
WEEKDAY_DAY_MONTH = "l j. F"  # fredag 8. mai
SHORT_WEEKDAY_DATE = r"D\. j. N Y"  # fre. 8. mai 2026
SHORT_WEEKDAY_DAY_MONTH = r"D\. j. N"  # fre. 8. mai
SHORT_WEEKDAY_DAY_MONTH_TIME = r"D\. j. N, H:i"  # fre. 8. mai, 19:30
TIME = "H:i"  # 19:30
