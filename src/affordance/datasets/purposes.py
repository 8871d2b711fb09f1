"""What an animation can be for."""

PURPOSES = ("Transition", "Demonstration", "Guidance", "Feedback", "Visualization", "Highlight", "Aesthetic")
"""The seven purposes of AniMINT, in its order."""
