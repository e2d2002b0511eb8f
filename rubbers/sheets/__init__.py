"""The values of a rubber night that pages, papers and the API show."""
