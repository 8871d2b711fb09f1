"""What `affordance doctor` looks at, a module for each topic. A check really does what it is about, and yields what it
found; it raises nothing that a user could put right."""
