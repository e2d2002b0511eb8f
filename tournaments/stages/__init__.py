"""Events in stages: seeding, advancing, knock-outs, strata and prizes.

All functions here are pure. They take ids and numbers, and return lists with reasons.
"""
