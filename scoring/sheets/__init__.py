"""What a page, a paper or the API shows, each as one frozen value.

`values` holds the values; the other modules ask the database one question each. Whether a
hand, a turn-up or a result may be seen at all is decided in `secrecy` alone.
"""
