"""The tree of functional regions of a screen: divided, classified, told anew after corrections."""
