"""An event in stages: seeding, who goes on, knock-outs, strata and prizes.

Everything here is pure: ids and figures in, lists with their reasons out.
"""
