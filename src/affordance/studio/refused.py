"""What somebody asked for and cannot have."""

from affordance.core.errors import UserError


class Refused(UserError):
    """In one line; nothing was written."""


class NotThere(UserError):
    """There is none of that name: 404."""
