"""Affordance measures whether AI models understand user interfaces."""

__version__ = "0.1.0"
