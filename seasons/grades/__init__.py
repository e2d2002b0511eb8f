"""The app for grades: estimates of players' strength from the results of a club's events."""
