"""`acme/theme`: is a screen in its light or in its dark theme?"""

from collections.abc import Iterator

from affordance import plugins as af

NAME = "acme/theme"
THEMES = ("light", "dark")
ASKED = """You are shown the screenshot of an application. Which theme is it in?

{options}

Answer with the letter of the right option on the first line, and say why on the second."""


def questions(data: af.DatasetCollection, design: af.QuestionDesign) -> Iterator[af.PlannedQuestion]:
    """One for each screen whose theme is known, with the options in balanced orders."""
    dataset = data.of_kind("screen")
    screens = [one for one in (dataset.items if dataset else ()) if isinstance(one, af.Screen)]
    pages = [(one, one.page) for one in screens if one.page is not None]
    known = [(one, page) for one, page in pages if page.render_settings.get("theme") in THEMES]
    if dataset is None or not known:
        raise af.UserError(f"{NAME} needs screens with a theme; dataset {data.name!r} has none")
    for index, (screen, page) in af.ranked_subset(known, design, lambda one: one[0].id):
        path = dataset.media_path(screen.image)
        source, truth = af.digest_file(path), page.render_settings["theme"]
        orders = af.option_orders(design.option_order, 2, design.trials, design.seed, index, THEMES.index(truth))
        for trial, order in enumerate(orders):
            names = [THEMES[place] for place in order]
            letters = zip(af.option_letters(2), names, strict=True)
            options = tuple(af.Option(letter, name, name) for letter, name in letters)
            fields = {"options": "\n".join(f"{one.letter}. {one.label}" for one in options)}
            question = af.Question(
                NAME, screen.id, {"options": names}, (af.Picture(source),), fields, af.Choice(options), truth,
                {source: path}, tags={"theme": truth}, cluster=page.name,
            )  # fmt: skip
            yield af.PlannedQuestion(question, trial)


THEME = af.Task(
    name=NAME,
    summary="Is the screen in its light or in its dark theme?",
    dataset_kinds=("screen",),
    protocols={"affordance": af.Preset(option_order=af.OptionOrder.BALANCED, sampling={"temperature": 0})},
    questions=questions,
    strategies={"zero-shot": af.zero_shot},
    scorer=af.CHOICE_SCORER,
    metrics=af.CHOICE_METRICS,
    trivial_baselines=(af.chance(1 / len(THEMES)),),
    views=af.TaskViews(item_noun="screen", classes=THEMES, breakdowns=af.tags("theme")),
    prompts={"zero-shot": ASKED},
)
