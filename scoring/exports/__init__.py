"""What other programs read: sheets go in, text or bytes come out."""
