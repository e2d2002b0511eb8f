"""Grades: estimates of players' strength with their ranges.

Strength is in tricks a board. The state is the mean of each person and the covariance of all;
each evening updates both by exact least squares. Off by default. Source: the club's year,
section 3; the columns like the National Grading Scheme are our own.
"""

from seasons.grades.rating.evenings import BoardPlay, GradedEvening, compute_evening_input
from seasons.grades.rating.filter import ClubState, Constants, grade_evening, update_by_input
from seasons.grades.rating.fit import fit_best_constants
from seasons.grades.rating.shown_grades import ShownGrade, list_shown_grades
