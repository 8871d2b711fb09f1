"""A project to other formats, and from them."""
