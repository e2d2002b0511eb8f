"""The estimation of players' strength in tricks per board, with a range for each estimate.

The state consists of the mean of each person's strength and the covariance matrix of all
people. The results of each evening update both by exact least squares. The percentage grades
are a second scale, similar to the National Grading Scheme.
"""

from seasons.grades.rating.evenings import BoardPlay, GradedEvening, compute_evening_input
from seasons.grades.rating.filter import (
    ClubRatings,
    GradeModelConstants,
    grade_evening,
    update_ratings_from_input,
)
from seasons.grades.rating.fit import fit_best_constants
from seasons.grades.rating.shown_grades import ShownGrade, list_shown_grades
