"""The two levels of a club: what congresses use is absent until the owner switches it on."""
