"""Ask tau2-bench itself whether it agrees with an exported data folder.

    TAU2_DATA_DIR=DIR python check.py [RUN or MUTANTS.jsonl ...]

Tasks come from upstream's loader, rewards from upstream's evaluator. Mutants are many: all are replayed by upstream's
tools, and their worlds compared with gold's row by row, or asked the task's assertions where the reward does not look at
the database; a sample goes through the evaluator as well. --full sends every one there and reads the databases from
their files each time. Exit: 0 all agree, 1 some do not.
"""

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or its import looks for prices on the net

from loguru import logger

logger.remove()  # upstream logs every tool call

from tau2.data_model.message import AssistantMessage, ToolCall, UserMessage
from tau2.data_model.simulation import SimulationRun, TerminationReason
from tau2.data_model.tasks import RewardType
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
from tau2.registry import registry
from tau2.user.user_simulator import STOP, get_global_user_sim_guidelines
from tau2.utils.utils import DATA_DIR, get_tau2_version
from worlds import difference, domain, fresh

DOMAIN = domain()
new_environment = registry.get_env_constructor(DOMAIN)


def databases(env):
    """The agent's database and, where there is one, the user's."""
    return [side.db for side in (env.tools, env.user_tools) if side is not None and side.db is not None]


def environment(dbs):
    """An environment over copies of databases."""
    return new_environment(**dict(zip(("db", "user_db"), map(fresh, dbs))))


def hashes():
    return [db.get_hash() for db in DBS]


class Replay:
    """A task's initial state, and what calls make of it."""

    def __init__(self, task):
        self.task, self.start, self.history = task, DBS, []
        if given := task.initial_state:
            self.history = given.message_history or []
            env = environment(DBS)
            env.set_state(given.initialization_data, given.initialization_actions, self.history)
            self.start = databases(env)

    def run(self, actions):
        """The messages of agent and user who make these calls, and the environment in which they end."""
        env, messages = environment(self.start), []
        for number, action in enumerate(actions):
            side = action.get("requestor", "assistant")
            call = ToolCall(id=f"call_{number}", name=action["name"], arguments=action["arguments"], requestor=side)
            message = UserMessage if side == "user" else AssistantMessage
            messages += [message(role=side, tool_calls=[call]), env.get_response(call)]
        return messages, env

    def end(self, actions):
        """What the reward looks at in the end of these calls: the databases, assertions, or both."""
        env, criteria = self.run(actions)[1], self.task.evaluation_criteria
        seen = []
        if RewardType.DB in criteria.reward_basis:
            seen = [difference(db, start) for db, start in zip(databases(env), self.start)]
        return seen, [env.run_env_assertion(a, raise_assertion_error=False) for a in criteria.env_assertions or []]

    def reward(self, actions, told=()):
        """The evaluator's reward for making these calls and then saying each of told."""
        said = [AssistantMessage(role="assistant", content=text) for text in told]
        run = SimulationRun(id="check", task_id=self.task.id, start_time="", end_time="", duration=0,
                            termination_reason=TerminationReason.USER_STOP,
                            messages=[*self.history, *self.run(actions)[0], *said])
        return evaluate_simulation(run, self.task, EvaluationType.ALL, solo_mode=False, domain=DOMAIN).reward


def check(job):
    """A task's id and all findings on it: (what was checked, agrees or not, detail)."""
    task, raw, mutants, options = job
    try:
        return task.id, list(findings(task, raw, mutants, options))
    except Exception as error:  # upstream refuses it: a disagreement like any other
        return task.id, [("can be evaluated", False, f"{type(error).__name__}: {error}")]


def findings(task, raw, mutants, options):
    known, criteria, replay = task.model_dump(mode="json", exclude_unset=True), task.evaluation_criteria, Replay(task)
    yield "upstream's loader loses nothing", known == raw, f"keys {raw.keys() - known.keys() or 'below the top'}"
    gold, told = [action.model_dump() for action in criteria.actions or []], criteria.communicate_info or []
    messages, target = replay.run(gold)[0], replay.end(gold)
    failed = [m.content for m in messages if m.role == "tool" and m.error]
    yield "gold's calls succeed", not failed, failed
    yield earned("gold = 1", replay.reward(gold, told), 1)
    if told:
        yield earned("silent gold = 0", replay.reward(gold), 0)
    yield earned("do-nothing = 0", replay.reward([]), 0)
    for number, mutant in enumerate(mutants):
        kind, detail = mutant.get("kind"), mutant.get("detail")
        if not options.full:
            yield f"mutant ({kind}): another end", replay.end(mutant["actions"]) != target, detail
        if options.full or number * options.sample % len(mutants) < options.sample:  # evenly spread
            yield earned(f"mutant ({kind}) = 0", replay.reward(mutant["actions"], told), 0, detail)
    yield "replays left the first world alone", hashes() == HASHES, "worlds.py does not hold for these tools"


def earned(what, reward, expected, detail=""):
    return what, reward == expected, f"reward {reward} {detail}"


def read_lines(paths):
    """Mutants by task id, from files of JSON lines or run directories that hold a mutants.jsonl."""
    found = defaultdict(list)
    for path in map(Path, paths):
        for line in (path / "mutants.jsonl" if path.is_dir() else path).open(encoding="utf-8"):
            mutant = json.loads(line)
            found[mutant["task"]].append(mutant)
    return found


def report(results):
    """Prints the counts and every disagreement; tells whether there was none."""
    flat = [(where, *finding) for where, found in results for finding in found]
    good, bad = (Counter(what for _, what, agrees, _ in flat if agrees is side) for side in (True, False))
    lines = [f"{where}\t{what}\t{detail}" for where, what, agrees, detail in flat if not agrees]
    print(f"\n{'':44}agree  disagree")
    for what in dict.fromkeys(what for _, what, _, _ in flat):
        print(f"{what:44}{good[what]:5}{bad[what]:10}")
    print("\n".join(["\ndisagreements: task, check, detail", *lines] if lines else ["\ntau2-bench agrees"]))
    return not lines


def main():
    global DBS, HASHES  # read by the workers, which are forks
    parser = argparse.ArgumentParser(description="Check the folder TAU2_DATA_DIR by tau2-bench's own code.")
    parser.add_argument("mutants", nargs="*", help="run directories or files of JSON lines")
    parser.add_argument("--full", action="store_true", help="every mutant by the evaluator, all from the files")
    parser.add_argument("--sample", type=int, default=3, help="mutants a task that the evaluator sees as well (3)")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if "TAU2_DATA_DIR" not in os.environ:
        parser.error("set TAU2_DATA_DIR to the exported folder, or upstream's own tasks are checked")
    raw = {t["id"]: t for t in json.loads((DATA_DIR / "tau2/domains" / DOMAIN / "tasks.json").read_text("utf-8"))}
    tasks, mutants = registry.get_tasks_loader(DOMAIN)("base"), read_lines(options.mutants)
    DBS = databases(new_environment())
    HASHES = hashes()
    if not options.full:
        first = {type(db): db for db in DBS}
        for kind in first:
            kind.load = classmethod(lambda cls, path: fresh(first[cls]))
    print(f"tau2 {get_tau2_version()}, database {' and '.join(HASHES)}\n{sum(map(len, mutants.values()))} mutants, "
          f"{len(tasks)} tasks, {sum(t.id not in mutants for t in tasks)} of them without mutants")
    strays = sorted(raw.keys() ^ {t.id for t in tasks} | mutants.keys() - raw.keys())
    runs = [json.loads(file.read_text("utf-8")) for p in options.mutants if (file := Path(p, "tasks.json")).exists()]
    folder = [("split base is all tasks, mutants are theirs", len(tasks) == len(raw) > 0 and not strays,
               f"{len(strays)} strays, the first {strays[:3]}"),
              ("runs hold the exported tasks", all(run == [*raw.values()] for run in runs), "other tasks"),
              ("user guidelines name the stop word", all(STOP in get_global_user_sim_guidelines(n > 0) for n in range(len(DBS))), STOP),
              ("policy has text", bool(new_environment().get_policy().strip()), "empty")]
    with get_context("fork").Pool(options.workers) as pool:
        found = list(pool.imap(check, [(t, raw[t.id], mutants[t.id], options) for t in tasks]))
    sys.exit(0 if report([("(folder)", folder), *found]) else 1)


if __name__ == "__main__":
    main()
