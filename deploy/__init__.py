"""What puts the program on machines: the files of a server, and what a release is made of."""
