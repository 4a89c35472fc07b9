"""An OpenAI-compatible server on 127.0.0.1 whose models know the tasks, so that `tau2 run` works without any model.

    TAU2_DATA_DIR=DIR python scripted.py PORT

The customer opens with the id of its task and stops at the next text. The agent's model is chosen by name: `gold`
makes the gold calls and says the literals, `silent` keeps them to itself, `idle` does nothing.
"""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

from loguru import logger

logger.remove()

from tau2.registry import registry
from tau2.user.user_simulator import STOP
from worlds import domain

TASKS = registry.get_tasks_loader(domain())("base")
OPENING = "My task is "


def customer(messages):
    """The next line of the simulated customer; its own earlier lines have the role assistant."""
    if any(message["role"] == "assistant" for message in messages):
        return {"content": f"Thank you. {STOP}"}
    scenario = next(t for t in TASKS if f"<scenario>\n{t.user_scenario}\n</scenario>" in messages[0]["content"])
    return {"content": OPENING + scenario.id}


def agent(model, messages):
    """The next step of the agent: the gold call after those already answered, or its closing words."""
    opening = next(message["content"] for message in messages if message["role"] == "user")
    criteria = next(task for task in TASKS if task.id == opening.removeprefix(OPENING)).evaluation_criteria
    done = sum(message["role"] == "tool" for message in messages)
    actions = (criteria.actions or []) if model != "idle" else []
    if done < len(actions):
        function = {"name": actions[done].name, "arguments": json.dumps(actions[done].arguments)}
        return {"content": None, "tool_calls": [{"id": f"call_{done}", "type": "function", "function": function}]}
    told = (criteria.communicate_info or []) if model == "gold" else []
    return {"content": " ; ".join(["All settled.", *told])}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model, messages = request["model"], request["messages"]
        message = agent(model, messages) if request.get("tools") else customer(messages)
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        body = json.dumps({
            "id": "scripted", "object": "chat.completion", "created": 0, "model": model,
            "choices": [{"index": 0, "finish_reason": reason, "message": {"role": "assistant", **message}}],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        }).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
