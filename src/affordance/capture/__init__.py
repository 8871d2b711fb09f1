"""A real browser: screens whose every element and region it vouches for, and outcomes of actions carried out in it."""
