"""One small module for each thing that can be added to Affordance."""
