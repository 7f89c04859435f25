"""ClickHouse's HTTP interface over its engine in this process (PyPI: chdb-core), for tests without a server.

One query at a time, no users, one database. Arguments: the port on 127.0.0.1 and the folder of the data.
"""
import gzip
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb import session

PORT, FOLDER = int(sys.argv[1]), sys.argv[2]
NOT_SETTINGS = {"query", "query_id", "database", "default_format", "session_id", "role",
                "enable_http_compression", "max_execution_time"}
FORMAT = re.compile(r"\s+FORMAT\s+(\w+)\s*$", re.IGNORECASE)
SELECT = re.compile(r"\s*(SELECT|WITH|SHOW)\b", re.IGNORECASE)

engine = session.Session(FOLDER)
lock = threading.Lock()


def quoted(value):
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def execute(query, body, options):
    """Returns the response body. Settings apply to this query only."""
    text = (query.encode() + b"\n" + body if query else body).decode()
    output = options.get("default_format", "TabSeparated")
    if SELECT.match(text) and (found := FORMAT.search(text)):
        output, text = found.group(1), text[: found.start()]
    parameters = {name: value for name, value in options.items() if name.startswith("param_")}
    settings = {name: value for name, value in options.items()
                if name not in NOT_SETTINGS and name not in parameters}
    with lock:
        try:
            for name, value in {**settings, **parameters}.items():
                engine.query(f"SET {name} = {quoted(value)}")
            return engine.query(text, output).bytes() or b""
        finally:
            for name in settings:
                engine.query(f"SET {name} = DEFAULT")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A response in two packets would wait for an acknowledgment.
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.respond(b"")

    def do_POST(self):
        self.respond(self.read_body())

    def read_body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.decoded(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return self.decoded(b"".join(chunks))

    def decoded(self, body):
        return gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body

    def respond(self, body):
        url = urlsplit(self.path)
        if url.path == "/ping":
            return self.send(200, b"Ok.\n")
        options = dict(parse_qsl(url.query, keep_blank_values=True))
        try:
            self.send(200, execute(options.get("query", ""), body, options))
        except Exception as error:
            message = str(error)
            code = re.search(r"Code: (\d+)", message)
            headers = {"X-ClickHouse-Exception-Code": code.group(1) if code else "1001"}
            self.send(500, message.encode(), headers)

    def send(self, status, body, headers=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=UTF-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


engine.query("SELECT 1")
server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
print("ready", flush=True)
server.serve_forever()
