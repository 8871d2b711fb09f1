"""The reference of the documentation site, written from the code whenever the site is built: path -> Markdown."""

from reference import codes, commands, datasets, dialects, providers, python, report, settings, tasks

PAGES = {
    "reference/python.md": python.page,
    "reference/extending.md": python.extending_page,
    "reference/tasks.md": tasks.page,
    "reference/dialects.md": dialects.page,
    "reference/datasets.md": datasets.page,
    "reference/settings.md": settings.page,
    "reference/providers.md": providers.page,
    "reference/report.md": report.page,
    "reference/codes.md": codes.page,
}


def pages() -> dict[str, str]:
    return {**commands.pages(), **{path: make() for path, make in PAGES.items()}}
