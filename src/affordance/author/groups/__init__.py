"""Look-alikes: elements and regions that are easily taken for each other."""
