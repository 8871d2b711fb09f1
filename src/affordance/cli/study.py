"""`affordance study`: ask people the questions of a task, in the browser."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli.command_group import CommandGroup, GroupWithDefault
from affordance.cli.options import LEDGER, Json, Ledger, NewFolder, ServerOptions, with_options
from affordance.cli.run_options import RunOptionValues, with_run_options
from affordance.cli.serving import print_access_links, server_settings, tls_files
from affordance.cli.study_design import (
    DESIGN_OPTIONS,
    StudyOptions,
    build_study,
    complete_study,
    find_study,
    read_only_ledger,
    stored_studies,
)
from affordance.console.output import print_json, print_note, print_warning
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from socket import socket

    from affordance.author.project import Project
    from affordance.author.study_records import Study
    from affordance.studio.settings import Settings


class _StudyGroup(GroupWithDefault):
    """`affordance study NAME --task T` creates and serves a study."""

    default = "create-and-serve"

    def stands_for_default(self, args: list[str]) -> bool:
        return bool(args)


app = CommandGroup(_StudyGroup)

COMMANDS = ("create", "serve", "status", "close", "list", "export")
StudyName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the study.")]
LinkDays = Annotated[
    int | None,
    typer.Option(
        "--link-days", min=1, max=90, metavar="N", help="Days for which the link is valid.", show_default="90"
    ),
]
ExternalIds = Annotated[bool, typer.Option("--external-ids", help="Include ids of recruiting services.")]


@app.callback()
def study() -> None:
    """Ask people the questions of a task, label judgements, or review failures, in the browser.

    `affordance study NAME --task T --per-item N` creates a study and serves it; `affordance study NAME` serves it
    again. Answers are `study:NAME` in the ledger, a row of the report.

    \b
    Examples:
      affordance study purposes --task motion/purpose --per-item 3 --per-person 10
      affordance study create which --task behavior/choice --data pairs --per-item 4
      affordance study serve which --host 0.0.0.0
      affordance study export which -o answers
    """


@app.command("create")
@with_run_options(*DESIGN_OPTIONS)
@with_options
def create(
    name: StudyName,
    options: StudyOptions,
    run_options: RunOptionValues,
    ledger: Ledger = LEDGER,
    as_json: Json = False,
) -> None:
    """Create a study, or change texts and links of one that exists.

    Participants agree to a consent text first: a built-in one, that of --consent, or none.

    \b
    Examples:
      affordance study create purposes --task motion/purpose --per-item 3 --per-person 10
      affordance study create labels --judgements explained -n 200 --per-item 2
      affordance study create why --failures purposes -n 100 --per-item 2
    """
    _check_name(name)
    built = build_study(name, options, run_options, ledger)
    with _open_project(ledger) as project:
        created = _create(project, built)
    if as_json:
        print_json(_study_record(created))
    else:
        print(f"{name}: {_describe(created)}; serve it with affordance study serve {name}")


@app.command("serve")
@with_options
def serve(name: StudyName, server: ServerOptions, link_days: LinkDays = None, ledger: Ledger = LEDGER) -> None:
    """Serve a study and print the participant link. Ctrl+C ends it; the same command serves it again.

    Answers to tasks without a judge are written as the run NAME when everything is answered, and at the end.

    \b
    Examples:
      affordance study serve purposes
      affordance study serve purposes --host 0.0.0.0 --certificate cert.pem --key key.pem --link-days 14
    """
    with read_only_ledger(ledger) as opened:
        found = find_study(opened, name)
    _serve_study(found, server, ledger, link_days)


@app.command("status")
def status(name: StudyName, ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """Print how much of a study is answered and by how many participants.

    \b
    Example:
      affordance study status purposes
    """
    from affordance.console.output import dataclass_fields
    from affordance.studio.security.records import utc_now
    from affordance.studio.studies.opened import Studies
    from affordance.studio.studies.standing import standing

    with read_only_ledger(ledger) as opened:
        found = find_study(opened, name)
    with _open_project(ledger) as project:
        now = standing(project.ledger, Studies(project, cache_dir()).open(found), utc_now())
    counts = dataclass_fields(now.counts)
    if as_json:
        record = {"planned": now.planned, "answered": now.answered, "excluded_answers": now.left_out}
        print_json({**_study_record(found), **record, "complete": now.complete, "participants": counts})
        return
    print(f"{name}: {now.answered} of {now.planned} answered{', closed' if found.closed else ''}")
    print(f"participants: {', '.join(f'{value} {key}' for key, value in counts.items() if isinstance(value, int))}")
    for reason, count in now.counts.reasons.items():
        print(f"excluded: {count:>5}  {reason}")


@app.command("close")
def close(name: StudyName, ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """Stop accepting participants and answers. `affordance study create NAME` with the same options does not reopen it.

    \b
    Example:
      affordance study close purposes
    """
    from affordance.studio.studies.beginning import begin_study

    with read_only_ledger(ledger) as opened:
        found = find_study(opened, name)
    with _open_project(ledger) as project:
        closed = begin_study(project, found.model_copy(update={"closed": True}), _author())
    if as_json:
        print_json(_study_record(closed))
    else:
        print(f"{name}: closed")


@app.command("list")
def list_studies(ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """List the studies of a ledger.

    \b
    Example:
      affordance study list --ledger results.db
    """
    with read_only_ledger(ledger) as opened:
        found = stored_studies(opened)
    if as_json:
        print_json([_study_record(one) for one in found.values()])
        return
    for one in found.values():
        print(f"{one.name}: {_describe(one)}")


@app.command("export")
def export(
    name: StudyName,
    output: NewFolder,
    external_ids: ExternalIds = False,
    ledger: Ledger = LEDGER,
    as_json: Json = False,
) -> None:
    """Write the answers of a study and its description into a new folder.

    \b
    Example:
      affordance study export purposes -o answers
    """
    with read_only_ledger(ledger) as opened:
        found = find_study(opened, name)
    _export(found, ledger, output, external_ids)
    if as_json:
        print_json({"folder": output, "study": name})
    else:
        print(output)


@app.command(_StudyGroup.default, hidden=True)
@with_run_options(*DESIGN_OPTIONS)
@with_options
def create_and_serve(
    name: StudyName,
    options: StudyOptions,
    run_options: RunOptionValues,
    server: ServerOptions,
    link_days: LinkDays = None,
    ledger: Ledger = LEDGER,
    export_to: Annotated[
        Path | None, typer.Option("--export", metavar="DIR", help="Write the answers into a new folder, and end.")
    ] = None,
    external_ids: ExternalIds = False,
) -> None:
    """Create a study and serve it, or serve the one of that name again: `affordance study create` and `serve` in one.

    \b
    Examples:
      affordance study purposes --task motion/purpose --per-item 3 --per-person 10
      affordance study purposes
    """
    if export_to is not None:
        export(name, export_to, external_ids, ledger)
        return
    _check_name(name)
    _serve_study(build_study(name, options, run_options, ledger), server, ledger, link_days)


def _check_name(name: str) -> None:
    from affordance.core.errors import UserError
    from affordance.studio.studies.beginning import check_name

    check_name(name)
    if name in COMMANDS:
        raise UserError(f"a study cannot be called {name!r}, the name of a command; choose another name")


def _open_project(ledger: str) -> Any:
    from affordance.author.project import open_as_project

    return open_as_project(ledger)


def _author() -> str:
    from affordance.author.project import PERSON

    return f"{PERSON}{server_settings(ServerOptions(), None).local}"


def _create(project: "Project", study: "Study") -> "Study":
    from affordance.studio.studies.beginning import begin_study

    completed, notes = complete_study(project, study)
    for note in notes:
        print_note(note)
    return begin_study(project, completed, _author())


def _study_record(study: "Study") -> dict[str, object]:
    return {
        "name": study.name,
        "form": study.form,
        "task": study.task,
        "run": study.run,
        "per_item": study.per_item,
        "per_person": study.per_person,
        "attention_checks": study.checks,
        "closed": study.closed,
    }


def _describe(study: "Study") -> str:
    subject = study.task or study.form
    parts = [f"{study.per_item} per item", "closed" if study.closed else "open"]
    return ", ".join([f"{subject} of {study.run}" if study.run else subject, *parts])


def _serve_study(study: "Study", server: ServerOptions, ledger: str, link_days: int | None) -> None:
    from affordance.studio.serving import place

    files = tls_files(server.certificate, server.key)
    settings = server_settings(server, ledger if "://" in ledger else None)
    with place(settings, files) as bound, _open_project(ledger) as project:
        _serve(project, _create(project, study), settings, files, ledger, link_days, bound)


def _serve(
    project: "Project",
    study: "Study",
    settings: "Settings",
    files: tuple[Path, Path] | None,
    ledger: str,
    link_days: int | None,
    bound: "socket",
) -> None:
    from affordance.studio.serving import outside, serve
    from affordance.studio.studies.beginning import LINK_DAYS, study_link
    from affordance.studio.studies.opened import Studies
    from affordance.studio.studies.recording import Watch
    from affordance.studio.studies.registry import STAFF_ONLY

    def print_links(address: str) -> None:
        print_access_links(project, settings, address)
        print_warning(f"for the organiser: {address}/")
        if study.form in STAFF_ONLY:
            path = f"/study/{study.name}"
        else:
            _print_validity(project, study.name, link_days or LINK_DAYS)
            path = study_link(project, study.name, _author(), link_days or LINK_DAYS)
        print(f"{outside(settings, address)}{path}", flush=True)

    watch = Watch(Studies(project, settings.cache), study.name, lambda one: _record(project, one, ledger))
    try:
        serve(project, settings, files, print_links, bound)
    finally:
        watch.end()
    _record(project, study, ledger)


def _print_validity(project: "Project", study: str, days: int) -> None:
    """How long the new link is valid, and whether there are others."""
    from affordance.studio.moments import day_and_time
    from affordance.studio.people import People
    from affordance.studio.security.links import Links
    from affordance.studio.security.records import moment, utc_now

    earlier = sum(one.invitation.study == study for one in Links(People(project.ledger)).open())
    until = day_and_time(moment(utc_now() + timedelta(days=days)))
    others = f"; earlier links that are still valid: {earlier} (revoke them on the study's page)" if earlier else ""
    print_warning(f"the link is valid until {until} (--link-days N){others}")


def _record(project: "Project", study: "Study", ledger: str) -> None:
    """Write the answers as a run if that needs no judge; else print the command that does."""
    from affordance.core.errors import UserError
    from affordance.studio.commands import next_command, report_command, run_command
    from affordance.studio.studies.recording import has_answers, record

    if not has_answers(project, study.name):
        return
    if study.run:
        print_warning(f"next: {next_command(study, ledger)}")
    if study.form != "task":
        return
    try:
        progress = record(study, ledger, cache_dir() / "pictures")
    except UserError as error:
        print_warning(f"the answers are stored, but not written as a run: {error}")
        return
    if progress is None:
        print_warning(f"to judge the answers: {run_command(study, ledger)}")
        return
    answered = progress.planned - progress.failed
    command = report_command(study.name, ledger)
    print_warning(f"run {study.name}: {answered} of {progress.planned} answered; {command}")


def _export(study: "Study", ledger: str, folder: Path, external_ids: bool) -> None:
    from affordance.studio.security.records import utc_now
    from affordance.studio.studies.exporting import export_study
    from affordance.studio.studies.opened import Studies

    with _open_project(ledger) as project:
        studies = Studies(project, cache_dir())
        export_study(project, studies.open(study), folder, utc_now(), external=external_ids)
