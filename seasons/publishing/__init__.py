"""The output of results: site, feed, uploads to a server, mail and exports."""
