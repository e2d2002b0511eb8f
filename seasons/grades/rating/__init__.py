"""Grades: how strong somebody plays, as far as evenings can tell, and how far that is.

A person's strength is counted in tricks a board. What is kept is a mean for each person and the
covariance of all; an evening moves both by exact least squares. Off unless a club wants it.
Source: the club's year, section 3; the columns like the National Grading Scheme are our own.
"""

from seasons.grades.rating.evenings import GradedEvening, Play, facts_of
from seasons.grades.rating.fitting import fitted
from seasons.grades.rating.running import Club, Constants, grade_evening, take_in
from seasons.grades.rating.showing import Shown, shown_grades
