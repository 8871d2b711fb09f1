"""What the reference of the page of pairs says beside the laws themselves: an example of each, and heuristics."""

from collections.abc import Mapping

EXAMPLES: Mapping[str, str] = {
    "Law of Common Region": "A frame around price and button makes it clear that the button buys this offer.",
    "Law of Proximity": "A label that stands right above its field needs no line to say which field it is of.",
    "Law of Prägnanz": "One column with one heading is taken in at once; three columns with ornaments are not.",
    "Law of Similarity": "All links that lead to help look alike, so people who know one know the others.",
    "Von Restorff Effect": "The only coloured button on a grey page is the one that people find and come back to.",
    "Serial Position Effect": "The plan that most people want comes first, the one to be remembered last.",
    "Miller’s Law": "A form of twelve fields in three steps of four is less to keep in mind than all at once.",
    "Jakob’s Law": "The basket is at the top right, where it is in every other shop.",
    "Hick’s Law": "One offer and a way to see more is decided on sooner than nine offers side by side.",
    "Pareto Principle": "Search gets the room at the top, as most visits begin with it.",
    "Fitts’s Law": "A button as wide as the screen of a phone, within reach of the thumb, is hit at once.",
    "Goal-Gradient Effect": "A bar that says “two of three steps done” makes people finish the third.",
}

# Ten rules of thumb that reviewers of interfaces go by, in our own words.
HEURISTICS: tuple[tuple[str, str], ...] = (
    ("The state can be seen", "The page says what is going on, soon and in view."),
    ("It speaks as people do", "Words, signs and order are those of the people who use it, not of the system."),
    ("There is a way back", "Whoever went wrong gets out without harm, and what was done can be undone."),
    ("The same looks and works the same", "Within the page, and as on other pages."),
    ("Mistakes are kept from happening", "What cannot be right cannot be chosen; what is grave is asked again."),
    ("Seen rather than remembered", "What is needed for a choice is in view where it is made."),
    ("Quick for those who know it", "There are short ways for people who come often, which are in nobody’s way."),
    ("Nothing that does not help", "What is not needed takes attention from what is."),
    ("Mistakes are told plainly", "What went wrong, and what to do now, in words that anybody understands."),
    ("Help is at hand", "Where something needs to be explained, it is, in short steps, and can be found."),
)
