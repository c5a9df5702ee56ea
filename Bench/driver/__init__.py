"""What drives `make bench`: starts the programs, puts load on them, reads what they used, prints one table."""
