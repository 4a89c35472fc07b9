"""A remote agent that plays scripts: {"TASK ID": [message, message, ...]}, then says goodbye.

Usage: python3 remote_agent.py SCRIPTS.json [PORT]. Put your own agent in the place of `reply`.
"""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

scripts = json.load(open(sys.argv[1]))
conversations = {}  # what the agent knows of each: how it began, and its replies by turn


def reply(begin, turn, messages):
    """The agent's next message. begin has policy and tools, messages what is new since the last turn."""
    script = scripts.get(begin["task_id"], [])
    return script[turn] if turn < len(script) else {"content": "###STOP###"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # answers go out in one piece, which saves 40 ms each

    def do_POST(self):
        ask, status, answer = json.loads(self.rfile.read(int(self.headers["Content-Length"]))), 200, {}
        known = conversations.get(ask["conversation"])
        if self.path == "/start":
            conversations[ask["conversation"]] = (ask, {})
        elif known is None:
            status = 404
        elif self.path == "/next":  # a turn that is asked for twice gets the same reply
            begin, replies = known
            if ask["turn"] not in replies:
                replies[ask["turn"]] = reply(begin, ask["turn"], ask["messages"])
            answer = replies[ask["turn"]]
        elif self.path == "/end":
            del conversations[ask["conversation"]]
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 8765), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
