"""The behavior suite (WiserUI-Bench): which of two designs wins, and why?"""
