"""The Python interface: what `from affordance import ...` gives. Each function is a command, and takes its options."""
