"""Grades: estimates of players' strength with their ranges.

Strength is in tricks a board. The state is the mean of each person and the covariance of all;
each evening updates both by exact least squares. Off by default. Source: the club's year,
section 3; the columns like the National Grading Scheme are our own.
"""

from seasons.grades.rating.evenings import GradedEvening, Play, facts_of
from seasons.grades.rating.fitting import fitted
from seasons.grades.rating.running import Club, Constants, grade_evening, take_in
from seasons.grades.rating.showing import Shown, shown_grades
