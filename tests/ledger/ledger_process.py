"""A process that writes to a ledger until it has added COUNT replies: `ledger_process.py WHERE NAME COUNT`.

Prints `open`, waits for a line, and then prints the ids of replies after their commit.
"""

import sys

from ledger_samples import RIGHT, a_question, a_reply, a_run, an_ask, an_attempt

from affordance.ledger import open_ledger

PLANNED = 200  # attempts in one record
TOGETHER = 5  # replies before their ids are waited for
PATIENCE = 240.0  # seconds


def write(where: str, name: str, count: int) -> None:
    with open_ledger(where, patience=PATIENCE) as ledger:
        print("open", flush=True)
        sys.stdin.readline()
        run = ledger.begin_run(a_run(name))
        question = a_question()
        for start in range(0, count, TOGETHER):
            trials = range(start * PLANNED, (start + 1) * PLANNED)
            ledger.plan([(an_attempt(run, question, trial=trial), "effect", question) for trial in trials])
            replies = [
                ledger.add_reply(f"{name}-{number}", (0, 0, 0), an_ask(f"{number}"), a_reply(), run=run.id)
                for number in range(start, start + TOGETHER)
            ]
            ledger.add_verdict(f"{name}-{start}", RIGHT)
            print(*(reply.result() for reply in replies), flush=True)


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], int(sys.argv[3]))
