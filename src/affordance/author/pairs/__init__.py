"""Pairs of designs in a project: taken in, corrected by people, and written as a dataset."""
