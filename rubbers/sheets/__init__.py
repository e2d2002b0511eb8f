"""The data of a rubber night for pages, papers and the API."""
