"""Results that leave the program: site, feed, sending, mail and exports."""
