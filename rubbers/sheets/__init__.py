"""What pages, papers and the API say of a rubber night."""
