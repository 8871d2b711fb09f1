"""The command line: commands, one module each. They parse, call and print."""
