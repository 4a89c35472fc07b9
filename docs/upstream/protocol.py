"""Scripted conversations held by tau2's orchestrator, for `go test ./sim -run TestReference -args -protocol FILE`.

    python docs/upstream/protocol.py FILE [COUNT [SEED]]

Agents, users, histories and limits are drawn at random on the mock domain: texts, calls of right and wrong tools, several in
a message, text beside calls, empty messages, stop tokens, solo mode, the communication protocol enforced or not. Written are the
scripts, and of each conversation what came of it: how it ended, the record, what each side saw at each move, the counts
of steps and errors, the hash of the database; or the exception.
"""

import json
import random
import sys
from collections import Counter

from loguru import logger

logger.remove()

from tau2.agent.base_agent import HalfDuplexAgent  # noqa: E402
from tau2.agent.llm_agent import LLMSoloAgent  # noqa: E402
from tau2.data_model.message import AssistantMessage, MultiToolMessage, ToolCall, ToolMessage, UserMessage  # noqa: E402
from tau2.data_model.tasks import InitialState  # noqa: E402
from tau2.domains.mock.environment import get_environment, get_tasks  # noqa: E402
from tau2.orchestrator.orchestrator import Orchestrator  # noqa: E402
from tau2.user.user_simulator import DummyUser  # noqa: E402
from tau2.user.user_simulator_base import HalfDuplexUser  # noqa: E402

CALLS = [
    ("get_users", {}),
    ("get_users", {"x": 1}),
    ("create_task", {"user_id": "user_1", "title": "x"}),
    ("create_task", {"user_id": "nobody", "title": "x"}),
    ("update_task_status", {"task_id": "task_1", "status": "completed"}),
    ("no_such_tool", {}),
    ("check_notifications", {}),
    ("dismiss_notification", {"notification_id": "n"}),
]
TEXTS = ["talk", "talk", "hello", "bye ###STOP###", "###TRANSFER###", "x ###OUT-OF-SCOPE###"]


def message(d):
    calls = [ToolCall(requestor=d["role"], **c) for c in d["tool_calls"]] if d.get("tool_calls") else None
    cls = AssistantMessage if d["role"] == "assistant" else UserMessage
    return cls(role=d["role"], content=d.get("content"), tool_calls=calls)


def short(m):
    if isinstance(m, ToolMessage):
        return ["tool", m.id, m.requestor, bool(m.error), m.content]
    return [m.role, m.content, [[c.id, c.name, c.requestor] for c in m.tool_calls] if m.tool_calls else None]


class Scripted:
    """A party that plays its script; the last message repeats."""

    def __init__(self, script):
        self.script, self.at, self.seen = script, 0, []
        self.tools, self.domain_policy = [], ""

    def get_init_state(self, message_history=None):
        return list(message_history or [])

    def generate_next_message(self, message_, state):
        if message_ is not None:
            state = state + (message_.tool_messages if isinstance(message_, MultiToolMessage) else [message_])
        self.seen.append([short(m) for m in state])
        m = message(self.script[min(self.at, len(self.script) - 1)])
        self.at += 1
        return m, state + [m]

    def stop(self, *_):
        pass


class Agent(Scripted, HalfDuplexAgent):
    @classmethod
    def is_stop(cls, m):
        return not m.is_tool_call() and "###STOP###" in (m.content or "")


class SoloAgent(Agent, LLMSoloAgent):
    pass


class User(Scripted, HalfDuplexUser):
    pass


class Nobody(DummyUser):
    def __init__(self):
        self.seen = []

    def stop(self, *_):
        pass


class Draw:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def calls(self, prefix):
        return [dict(zip(("name", "arguments"), self.r.choice(CALLS)), id=f"{prefix}.{i}") for i in range(self.r.randint(1, 3))]

    def script(self, role, solo):
        out = []
        for i in range(self.r.randint(1, 8)):
            k, m = self.r.random(), {"role": role}
            if k < 0.15 and not (solo and k > 0.05):
                m["content"] = self.r.choice(TEXTS)
            elif k < 0.45 and not solo:
                m["content"] = f"text {i}"
            elif k < 0.48:
                m["content"] = self.r.choice(["", " "])
            else:
                m["tool_calls"] = self.calls(f"{role}{i}")
                if k < 0.58:
                    m["content"] = "both"
            out.append(m)
        return out

    def history(self, solo):
        if self.r.random() < 0.75:
            return []
        out = []
        if not solo:
            out = [{"role": "assistant", "content": "Hi!"}, {"role": "user", "content": self.r.choice(["hey", "hey", "hey ###STOP###"])}]
        if self.r.random() < 0.6:
            env, calls = get_environment(solo_mode=solo), self.calls("h")
            out.append({"role": "assistant", "content": None, "tool_calls": calls})
            out += [env.get_response(ToolCall(**c)).model_dump(include={"role", "id", "content", "requestor", "error"}) for c in calls]
        return out

    def case(self, n):
        solo = n % 5 == 4
        return {
            "solo": solo, "agent": self.script("assistant", solo), "user": self.script("user", False), "history": self.history(solo),
            "max_steps": self.r.choice([1, 2, 3, 5, 8, 13, 200]), "max_errors": self.r.choice([1, 2, 3, 5, 10]), "enforce": self.r.random() < 0.3,
        }  # fmt: skip


def hold(case, task):
    solo, env = case["solo"], get_environment(solo_mode=case["solo"])
    history = [ToolMessage(**m) if m["role"] == "tool" else message(m) for m in case["history"]]
    task = task.model_copy(update={"initial_state": InitialState(message_history=history) if history else None})
    agent, user = (SoloAgent if solo else Agent)(case["agent"]), Nobody() if solo else User(case["user"])
    o = Orchestrator(
        domain="mock", agent=agent, user=user, environment=env, task=task, max_steps=case["max_steps"], max_errors=case["max_errors"],
        solo_mode=solo, validate_communication=case["enforce"],
    )  # fmt: skip
    try:
        run = o.run()
    except Exception as e:  # an exception is an outcome
        return {"raised": f"{type(e).__name__}: {e}"}
    return {
        "reason": getattr(run.termination_reason, "value", run.termination_reason), "messages": [short(m) for m in run.messages],
        "steps": o.step_count, "errors": o.num_errors, "hash": env.get_db_hash(), "agent": agent.seen, "user": user.seen,
    }  # fmt: skip


def main():
    count, seed = (int(a) for a in (sys.argv[2:] + ["1000", "1"][len(sys.argv) - 2 :]))
    draw, task = Draw(seed), get_tasks()[0]
    cases = [draw.case(n) for n in range(count)]
    for c in cases:
        c["want"] = hold(c, task)
    with open(sys.argv[1], "w") as f:
        json.dump(cases, f)
    print(Counter(c["want"].get("reason", "raised") for c in cases))


main()
