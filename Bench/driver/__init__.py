"""Runs `make bench`: starts the programs, puts load on them, measures their resource use and prints one table."""
