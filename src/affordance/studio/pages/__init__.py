"""What people open: server-rendered shells that load their modules."""
