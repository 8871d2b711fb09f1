"""Topics of help pages: under which heading an option or a command is told."""

FIRST, MEASURE, MAKE, PEOPLE = "First steps", "Measure", "Make benchmarks", "Ask people"  # commands, in this order
HOW, JUDGING, REACHED = "How it is asked", "How it is judged", "How it is reached"
ARGUMENTS, OPTIONS, COMMANDS = "Arguments", "Options", "Commands"  # where nothing else is said
COMMON = "Common options"  # always last

ORDER = (FIRST, MEASURE, MAKE, PEOPLE, ARGUMENTS, OPTIONS)
