"""`affordance study`: the same questions put to people, in the browser."""

import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli import known
from affordance.cli.options import LEDGER, REACHED, Cues, Data, Expression, Goal, Limit, resolved_ledger
from affordance.cli.places import cache_dir
from affordance.cli.serving import HOST, PORT, Certificate, Key, Names, Port, print_access_links, tls_files, user_name
from affordance.cli.study_ledger import find_study, open_documents, read_only_documents
from affordance.cli.study_of_run import study_from_run
from affordance.cli.study_of_task import study_from_task
from affordance.console.output import print_note

if TYPE_CHECKING:
    from socket import socket

    from affordance.author.project import Project
    from affordance.author.study_records import Study
    from affordance.studio.settings import Settings

PER_PERSON = 20  # items of a task, unless told otherwise: the first who comes is not to get them all


def study(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Of the study; one of that name goes on.", autocompletion=known.studies),
    ],
    task: Annotated[
        str | None,
        typer.Option(metavar="T", help="The task whose questions are asked.", autocompletion=known.tasks),
    ] = None,
    data: Data = None,
    label: Annotated[
        str | None, typer.Option(metavar="RUN", help="Instead: judgements of a run to label, for `judge certify`.")
    ] = None,
    errors: Annotated[
        str | None, typer.Option(metavar="RUN", help="Instead: failed attempts of a run to review.")
    ] = None,
    number: Annotated[
        int | None, typer.Option("-n", "--number", min=1, metavar="N", help="With --label or --errors: to draw.")
    ] = None,
    per_item: Annotated[
        int | None, typer.Option(min=1, max=10_000, metavar="N", help="People who answer each item.")
    ] = None,
    per_person: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Items for each person.", show_default="20; all with --label, --errors"),
    ] = None,
    db: Annotated[
        str,
        typer.Option(
            metavar="L",
            envvar="AFFORDANCE_LEDGER",
            help="A sqlite file or a Postgres URL; keeps it all.",
            callback=resolved_ledger,
        ),
    ] = LEDGER,
    seed: Annotated[int, typer.Option(metavar="N", help="Seeds the order of options, and who is asked what.")] = 0,
    limit: Limit = None,
    cues: Cues = None,
    expression: Expression = None,
    goal: Goal = None,
    checks: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Attention checks for each person.", show_default="0")
    ] = None,
    consent: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", exists=True, dir_okay=False, help="A text that people agree to.", show_default="ours"
        ),
    ] = None,
    no_consent: Annotated[bool, typer.Option("--no-consent", help="Ask nobody to agree: for colleagues only.")] = False,
    about: Annotated[bool, typer.Option("--about", help="Ask for age and gender, which stay optional.")] = False,
    completion: Annotated[
        str | None, typer.Option(metavar="URL", help="Where people go when they are done, as recruiters give it.")
    ] = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=90, metavar="N", help="For how long the link is good.", show_default="90")
    ] = None,
    host: Annotated[str, typer.Option(metavar="H", help="Where it listens.", rich_help_panel=REACHED)] = HOST,
    port: Port = PORT,
    sign_in: Annotated[
        bool, typer.Option("--sign-in", help="The organiser signs in on this computer too.", rich_help_panel=REACHED)
    ] = False,
    names: Names = None,
    certificate: Certificate = None,
    key: Key = None,
    export: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write what was answered into a new folder, and end.")
    ] = None,
    external: Annotated[
        bool, typer.Option("--external", help="With --export: also the ids of recruiting services.")
    ] = False,
) -> None:
    """Put the questions of a task to people, as models get them. Ctrl+C ends it; the same command goes on.

    The link for people is printed on standard output. What they answer is `study:NAME` in the ledger, a row of the
    report; for tasks without a judge it is written as the run NAME when everything is answered, and at the end. People
    are asked to agree to a text first: ours, that of --consent, or none.

    \b
    Examples:
      affordance study purposes --task motion/purpose --per-item 3 --per-person 10
      affordance study which --task behavior/choice --data pairs --per-item 4 --host 0.0.0.0 --db postgresql://me@db/it
      affordance study labels --label explained -n 200 --per-item 2
      affordance study why --errors purposes -n 100 --per-item 2
      affordance study purposes
      affordance study purposes --export answers
    """
    from affordance.core.errors import UserError
    from affordance.studio.serving import place
    from affordance.studio.studies.beginning import check_name

    check_name(name)
    if export is not None:
        with read_only_documents(db) as ledger:
            kept = find_study(ledger, name)
        with open_documents(db) as project:
            _export(project, kept, export, external)
        return
    wishes = _wishes(per_person, checks, consent, no_consent, completion, about)
    files = tls_files(certificate, key)
    settings = _settings(host, port, names, sign_in, files is not None, db)
    about_run = label is not None or errors is not None
    if number is not None and not about_run:
        raise UserError("-n is how many are drawn for --label RUN or --errors RUN; expected one of them")
    if about_run:
        unfit = {"--data": data, "--limit": limit, "--cues": cues, "--expression": expression, "--goal": goal}
        how = {"per_item": per_item or 1, "seed": seed, **wishes}
        with read_only_documents(db) as ledger:
            chosen = study_from_run(ledger, name, label, errors, number, task, unfit, **how)
    elif task is not None:
        chosen = study_from_task(name, task, data, per_item, seed, limit, (cues, expression, goal), wishes)
    else:
        with read_only_documents(db) as ledger:
            chosen = find_study(ledger, name).model_copy(update=wishes)
    with place(settings, files) as bound, open_documents(db) as project:
        _serve(project, _complete_settings(project, chosen), settings, files, db, days, bound)


def _wishes(
    per_person: int | None,
    checks: int | None,
    consent: Path | None,
    no_consent: bool,
    completion: str | None,
    about: bool,
) -> dict[str, Any]:
    """What was given; what was not stays as it is in a study that goes on."""
    from affordance.core.errors import UserError

    if consent is not None and no_consent:
        raise UserError("expected --consent FILE or --no-consent, found both; give one of them")
    found: dict[str, Any] = {"consent": ""} if no_consent else {}
    if per_person is not None:
        found["per_person"] = per_person
    if checks is not None:
        found["checks"] = checks
    if consent is not None:
        try:
            found["consent"] = consent.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise UserError(f"--consent: expected a text in UTF-8, found something else in {consent}") from None
    if completion is not None:
        found["completion"] = completion
    return found | ({"about": True} if about else {})


def _complete_settings(project: "Project", study: "Study") -> "Study":
    """With what is usual, and said, where nothing was given; of a study that goes on, with what it has."""
    from affordance.author.project import read_record
    from affordance.author.records import Kind
    from affordance.author.study_records import Study
    from affordance.studio.studies.making import CONSENT
    from affordance.studio.studies.registry import STAFF_ONLY

    if there := project.ledger.documents.get_many([(Kind.STUDY, study.name)]):
        kept = read_record(there[0], Study)
        missing = {"per_person", "checks"} - study.model_fields_set
        return study.model_copy(update={name: getattr(kept, name) for name in missing})
    usual: dict[str, Any] = {}
    if "per_person" not in study.model_fields_set:
        usual = {"per_person": PER_PERSON} if study.form == "task" else {}
        each = f"{PER_PERSON} items at most" if usual else "all items"
        print_note(f"each person is asked about {each}; --per-person N gives another number")
    if "consent" not in study.model_fields_set and study.form not in STAFF_ONLY:
        usual["consent"] = CONSENT
        print_note("people are asked to agree to our text; --consent FILE gives another, --no-consent none")
    return study.model_copy(update=usual)


def _settings(
    host: str,
    port: int,
    names: list[str] | None,
    sign_in: bool,
    https: bool,
    db: str,
) -> "Settings":
    from affordance.studio.security.records import tidy_name
    from affordance.studio.settings import Settings

    return Settings(
        host=host,
        port=port,
        names=tuple(names or ()),
        local=tidy_name(user_name()),
        sign_in=sign_in,
        https=https,
        db=db if "://" in db else None,
        cache=cache_dir(),
    )


def _serve(
    project: "Project",
    study: "Study",
    settings: "Settings",
    files: tuple[Path, Path] | None,
    ledger: str,
    days: int | None,
    bound: "socket",
) -> None:
    from affordance.author.project import PERSON
    from affordance.studio.serving import outside, serve
    from affordance.studio.studies.beginning import LINK_DAYS, begin_study, study_link
    from affordance.studio.studies.opened import Studies
    from affordance.studio.studies.recording import Watch
    from affordance.studio.studies.registry import STAFF_ONLY

    author = f"{PERSON}{settings.local}"
    kept = begin_study(project, study, author)

    def listening(address: str) -> None:
        print_access_links(project, settings, address)
        print(f"affordance: for whoever runs the study: {address}/", file=sys.stderr)
        if kept.form in STAFF_ONLY:
            way = f"/study/{kept.name}"
        else:
            _print_links(project, kept.name, days or LINK_DAYS)
            way = study_link(project, kept.name, author, days or LINK_DAYS)
        print(f"{outside(settings, address)}{way}", flush=True)

    watch = Watch(Studies(project, settings.cache), kept.name, lambda one: _record(project, one, ledger))
    try:
        serve(project, settings, files, listening, bound)
    finally:
        watch.end()
    _record(project, kept, ledger)


def _print_links(project: "Project", study: str, days: int) -> None:
    """How long the new link is good, and whether there are others."""
    from affordance.studio.moments import day_and_time
    from affordance.studio.people import People
    from affordance.studio.security.links import Links
    from affordance.studio.security.records import moment, utc_now

    earlier = sum(one.invitation.study == study for one in Links(People(project.ledger)).open())
    until = day_and_time(moment(utc_now() + timedelta(days=days)))
    others = "" if not earlier else f"; earlier links that still work: {earlier}, the page of the study takes them back"
    print(f"affordance: the link is good until {until} (--days N){others}", file=sys.stderr)


def _record(project: "Project", study: "Study", ledger: str) -> None:
    """What is answered as a run, where that needs no judge; else how to have it."""
    from affordance.core.errors import UserError
    from affordance.studio.commands import next_command, report_command, run_command
    from affordance.studio.studies.recording import has_answers, record

    if not has_answers(project, study.name):
        return
    if study.run:
        print(f"affordance: with these answers: {next_command(study, ledger)}", file=sys.stderr)
    if study.form != "task":
        return
    try:
        progress = record(study, ledger, cache_dir() / "pictures")
    except UserError as error:
        print(f"affordance: the answers are kept, but not written as a run: {error}", file=sys.stderr)
        return
    if progress is None:
        print(f"affordance: to judge the answers: {run_command(study, ledger)}", file=sys.stderr)
        return
    answered = progress.planned - progress.failed
    how = report_command(study.name, ledger)
    print(f"affordance: run {study.name}: {answered} of {progress.planned} answered; {how}", file=sys.stderr)


def _export(project: "Project", study: "Study", folder: Path, external: bool) -> None:
    from affordance.studio.security.records import utc_now
    from affordance.studio.studies.exporting import export_study
    from affordance.studio.studies.opened import Studies

    studies = Studies(project, cache_dir())
    export_study(project, studies.open(study), folder, utc_now(), external=external)
    print(folder)
