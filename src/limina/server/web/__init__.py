"""HTTP and sockets: whatever comes in is read here, and whatever is answered is written here."""
