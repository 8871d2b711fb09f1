"""Reading answers out of responses: the version of the rules, which is stored with every verdict."""

PARSER_VERSION = 2  # raise it when a response may be read as another answer; 1 is what verdicts without a version have
