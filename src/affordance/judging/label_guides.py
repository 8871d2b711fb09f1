"""What people are told who label judgements, by task: the same in a file and on a page."""

from collections.abc import Mapping

# What a label is. The texts are called as the columns of a file are.
LABEL_GUIDES: Mapping[str, str] = {
    "behavior/rationale": "yes where the reasoning of text_b is contained in text_a, else no",
    "motion/meaning": "how far the two texts agree in meaning, from 0 (unrelated) to 5 (the same)",
}

# What is asked, where the answer is yes or no.
LABEL_QUESTIONS: Mapping[str, str] = {"behavior/rationale": "Is the reasoning of text_b contained in text_a?"}

# What each score means, where labels are scores.
SCORE_MEANINGS: Mapping[str, Mapping[int, str]] = {
    "motion/meaning": {
        0: "unrelated or contradictory",
        1: "the same topic only",
        2: "some overlap",
        3: "the same gist",
        4: "nearly the same",
        5: "the same meaning",
    },
}
