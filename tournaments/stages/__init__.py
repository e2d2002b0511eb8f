"""Events in stages: seeding, advancing, knock-outs, strata and prizes.

All functions here are pure: they take ids and numbers and return lists with reasons.
"""
