"""Who may do what: people, sessions, rights, and what every answer and request has to keep to."""
