"""What everybody may see, sent to the club's server: resumed, and never sent half."""
