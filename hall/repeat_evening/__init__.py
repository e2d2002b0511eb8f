"""New events for the people of an earlier event or whist drive."""
