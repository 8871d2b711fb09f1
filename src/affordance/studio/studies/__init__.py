"""Studies: the same questions put to people, one after the other, with everything that makes their answers count."""
