"""What studies are made of, one module for each form."""
