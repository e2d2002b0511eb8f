"""The publication of results: static site, Atom feed, uploads, e-mails and exports."""
