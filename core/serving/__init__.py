"""What a server and its visitors are: sessions, and how the server stands in the world."""
