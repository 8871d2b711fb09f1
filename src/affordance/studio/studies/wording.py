"""What people are told: in our words, once for each task and form. The prompts of models tell the same, and what role
to play and how to write an answer besides."""

from collections.abc import Mapping
from dataclasses import dataclass

from affordance.author.study_records import Form, Study


@dataclass(frozen=True, slots=True)
class Told:
    """`heading` stands above each sheet, `instruction` says what to do; `good` and `bad` are examples of answers, each
    with what makes it so."""

    heading: str
    instruction: str
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()


_LOOK = "Look at all of it before you answer; you may watch it as often as you like."
_MEANING = (
    "“Your message has been sent, and you can go on.” It says what a person learns from it.",
    "“I don't know.” That is a valid answer where you cannot tell.",
)
_NOT_MEANING = (
    "“Nice.” It says nothing about what the animation tells.",
    "“A blue circle grows and fades.” That is how it looks, not what it means.",
)

TASKS: Mapping[str, Told] = {
    "motion/effect": Told(
        "Which effect is it?",
        f"Which one of these effects describes best what you see? {_LOOK}",
        ("A square slides to the right and back: it moves, even though it also passes over another one.",),
        ("To choose by the colour of the object, when nothing about its colour changes.",),
    ),
    "motion/purpose": Told(
        "What is it for?",
        "What is the main purpose of this animation? Attend above all to what happens in the green box, where there is "
        f"one. Only one option is right. {_LOOK}",
        ("Open a definition where you are not sure what an option means.",),
        ("To choose the first option that could be meant, without reading the others.",),
    ),
    "motion/meaning": Told(
        "What does it mean?",
        "What does this animation tell the person who uses the interface? Say what it means, not how it looks, in one "
        f"or two sentences. {_LOOK}",
        _MEANING,
        _NOT_MEANING,
    ),
    "motion/twin": Told(
        "Which recording is it?",
        f"Both recordings show the same animation, but one of them differs in how it moves. {_LOOK}",
        ("Watch both at a slow speed before you choose.",),
        ("To guess from a single picture: every picture is in both recordings.",),
    ),
    "behavior/choice": Told(
        "Which design is more effective?",
        "Two versions of the same page. Find the main differences between them, then choose the more effective design: "
        "the one that people can use better, and on which more of them do what the page is for.",
        ("Compare what is written on both, and where the eye is led, before you choose.",),
        ("To choose by taste, such as your favourite colour.",),
    ),
    "behavior/rationale": Told(
        "Why is it more effective?",
        "Two versions of the same page, of which the second has proven to be the more effective design: people can use "
        "it better, and more of them do what the page is for. Give all the reasons that you see.",
        ("“The button names what happens next, so people know what they agree to.” It names a difference, and why.",),
        ("“It looks better.” It names no difference.",),
    ),
    "function/ground-region": Told(
        "Where is it?",
        "Find the region of the screen that the text is about, and draw a box around all of it and nothing else.",
        ("The box ends where the region ends, on all four sides.",),
        ("A box around one button, where the region has several.",),
    ),
    "function/ground-element": Told(
        "Where is it?",
        "Find the element that the text is about, and draw a box around it.",
        ("The box ends at the edges of the element.",),
        ("A box around the whole list, where one line of it is meant.",),
    ),
    "function/outcome-region": Told(
        "What is it for?",
        "One region is marked with a red rectangle. Answer the question about it.",
        ("Look at what is inside of the rectangle, and at what is around it.",),
        ("To answer for the whole page, where only the region is meant.",),
    ),
    "function/outcome-element": Told(
        "What happens?",
        "One element is marked with a red rectangle. Answer the question about it.",
        ("Think of what you would expect to happen, then look for it among the options.",),
        ("To choose an option for what it is long, or for what it is first.",),
    ),
}

FORMS: Mapping[Form, Told] = {
    "survey": Told(
        "What do you see, and what does it mean?",
        "Say in your own words what you see happen, and what it tells you. Attend above all to what happens in the "
        f"green box, where there is one. {_LOOK}",
        (
            "After a tap on a heart below a photo. What happens: “The grey heart swells, turns red and settles back to "
            "its size.” It says what changes, and how.",
            "The same heart. What it tells: “The app has noted that I like the photo.” It says what a person learns "
            "from it.",
            "“I don't know.” That is a valid answer where you cannot tell.",
        ),
        (
            "What happens: “An animation.” Nobody could tell from it which one you saw.",
            "What it tells: “The heart gets bigger.” That is how it looks, not what it tells.",
            "“I would have made it blue.” It judges the animation, and does not say what it shows.",
        ),
    ),
    "purpose": Told(
        "What is it for?",
        "What is the main purpose of this animation? Attend above all to what happens in the green box, where there is "
        f"one. Choose the one option that fits best, in your opinion. {_LOOK}",
        TASKS["motion/purpose"].good,
        TASKS["motion/purpose"].bad,
    ),
    "preference": Told(
        "Which one do you prefer?",
        "Two designs of the same page. Choose the one that serves the goal better.",
        ("Look at both in full before you choose.",),
        ("To choose always the same side.",),
    ),
    "judging": Told(
        "Two texts",
        "Compare the two texts, and nothing else: neither their length nor their style counts.",
    ),
    "errors": Told(
        "What went wrong?",
        "Give each mistake tags of your own: short, and the same ones for the same kind of mistake.",
        ("“wrong element” and “read the label only”: two tags that can be counted.",),
        ("A whole sentence as a tag, which fits nothing else.",),
    ),
    "boxes": Told(
        "Where is the region?",
        "Draw a box around all of the region that the text is about, and nothing else.",
        ("The box ends where the region ends, on all four sides.",),
        ("A box that cuts the region's border.",),
    ),
}


def told(study: Study) -> Told:
    """Of a task that another package adds, what it asks."""
    if study.form != "task":
        return FORMS[study.form]
    return TASKS.get(study.task) or Told(study.title, f"Answer the question about what you see. {_LOOK}")
