"""A headless Chromium, spoken to through its own debugging pipe: no driver, no port."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

KEYS = {"Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), "Tab": ("Tab", 9, "")}


class Browser:
    """Opens one page at a time, and keeps what it complains of and asks for."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        # The pipe is descriptors 3 and 4 of the browser.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash", PROGRAM,
             "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.pending = b""
        self.number = 0
        self.session = None
        self.events = []
        page = next(each for each in self.send("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.pending:
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise RuntimeError("the browser is gone")
            self.pending += piece
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def open(self, path, fragment="", width=1280, height=900, dark=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        # A page that differs in its fragment alone would not be loaded again.
        self.send("Page.navigate", url="about:blank")
        self.events.clear()
        self.send("Page.navigate", url=Path(path).resolve().as_uri() + fragment)
        until = time.monotonic() + 60
        while self.evaluate("document.readyState") != "complete" or self.evaluate("location.href") == "about:blank":
            if time.monotonic() > until:
                raise RuntimeError("the page does not load")
            time.sleep(0.05)

    def evaluate(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key):
        name, code, text = KEYS[key] if key in KEYS else (key, ord(key.upper()), key)
        common = {"key": name, "windowsVirtualKeyCode": code, "text": text}
        self.send("Input.dispatchKeyEvent", type="keyDown", **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        """Into what has the focus."""
        self.send("Input.insertText", text=text)

    def complaints(self):
        return [each["params"] for each in self.events
                if each["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")
                or each["method"] == "Runtime.consoleAPICalled" and each["params"]["type"] in ("error", "warning", "assert")]

    def requests(self):
        """Everything the page asked for, itself first."""
        return [each["params"]["request"]["url"] for each in self.events if each["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path, whole=False):
        image = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(image["data"]))
