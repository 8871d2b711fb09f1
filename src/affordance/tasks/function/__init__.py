"""The function suite (AutoGUI-v2): where is what does this, and what does this do?"""
