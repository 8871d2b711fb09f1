"""Exit codes: whose turn it is."""

EXIT_OK, OUR_BUG, USERS_MISTAKE, INCOMPLETE = 0, 1, 2, 3
