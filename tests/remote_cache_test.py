"""`--remote-cache`, with a real server of HTTP: what one machine has found out, another one is told.

remote_cache_test.py PATH-TO-WARPLINT
"""

import http.server
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

WARPLINT = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "warplint"

SOURCE = "__global__ void k(float *a, const float *b) { a[threadIdx.x] = b[threadIdx.x * 32]; }\n"


class Handler(http.server.BaseHTTPRequestHandler):
    """GET and PUT of whatever has a name."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.requests.append(("GET", self.path))
        body = self.server.records.get(self.path)
        self.answer(self.server.status or (200 if body is not None else 404), body or b"")

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append(("PUT", self.path))
        if not self.server.status:
            self.server.records[self.path] = body
        self.answer(self.server.status or 201, b"")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class RemoteCache(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        (self.root / "src").mkdir()
        for name in ("a.cu", "b.cu"):
            (self.root / "src" / name).write_text(SOURCE)
        time.sleep(0.05)  # files changed during a run are not cached
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.records, self.server.requests, self.server.status = {}, [], 0
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}/team"

    def lint(self, machine, *options, url=None):
        environment = dict(os.environ, WARPLINT_CACHE_DIR=str(self.root / machine))
        return subprocess.run([WARPLINT, "check", "--no-judge", "--format", "json", "--remote-cache", url or self.url,
                               *options, "src"], cwd=self.root, env=environment, capture_output=True, text=True)

    def testWhatOneMachineFoundAnotherIsTold(self):
        first = self.lint("one")
        self.assertEqual(len(json.loads(first.stdout)["findings"]), 2)
        self.assertTrue(self.server.records)
        self.assertTrue(all(path.startswith("/team/") for path in self.server.records))
        self.server.requests.clear()
        second = self.lint("two")
        self.assertEqual(second.stdout, first.stdout)
        self.assertEqual(second.stderr, first.stderr)
        self.assertEqual([what for what, _ in self.server.requests if what == "PUT"], [])
        # Now that it knows, it need not ask.
        self.server.requests.clear()
        self.assertEqual(self.lint("two").stdout, first.stdout)
        self.assertEqual(self.server.requests, [])

    def testWhatIsDamagedOnTheWayIsNotBelieved(self):
        first = self.lint("one")
        for path in self.server.records:
            self.server.records[path] = self.server.records[path][:-3] + b"xyz"
        self.assertEqual(self.lint("two").stdout, first.stdout)

    def testAServerThatRefusesIsToldOfOnce(self):
        first = self.lint("one")
        self.server.status = 403
        second = self.lint("two")
        self.assertEqual(second.stdout, first.stdout)
        self.assertEqual(second.stderr.count("the remote cache is not used: it answers 403"), 1)

    def testAServerThatIsNotThereCostsNoResult(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        result = self.lint("one", url=url)
        self.assertEqual(len(json.loads(result.stdout)["findings"]), 2)
        self.assertEqual(result.stderr.count("the remote cache is not used"), 1)

    def testAnEndlessAnswerEndsEarly(self):
        self.lint("one")
        endless, sent = b"x" * (1 << 20), []

        def answer(handler, status, body):
            handler.send_response(200)
            handler.end_headers()
            handler.close_connection = True
            try:
                for _ in range(2000):
                    handler.wfile.write(endless)
                    sent.append(1)
            except OSError:
                pass

        self.addCleanup(setattr, Handler, "answer", Handler.answer)
        Handler.answer = answer
        result = self.lint("two")
        self.assertEqual(len(json.loads(result.stdout)["findings"]), 2)
        self.assertEqual(result.stderr.count("it answers with more than 64 MiB"), 1)
        self.assertLess(len(sent), 1000)

    def testAPasswordIsNotPrinted(self):
        result = self.lint("one", url="ftp://me:s3cret@example.org")
        self.assertEqual(result.returncode, 2)
        self.assertIn("ftp://me:***@example.org", result.stderr)

    def testWhatIsNoServerIsSaid(self):
        result = self.lint("one", url="ftp://example.org")
        self.assertEqual(result.returncode, 2)
        self.assertIn("takes the URL of a server", result.stderr)


if __name__ == "__main__":
    unittest.main()
