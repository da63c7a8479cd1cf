"""The shell lines of docs/ci.md and of action.yml, run as the services run them, with the wheel just built.

ci_test.py BUILD-FOLDER
"""

import json
import os
import re
import shutil
import sys
import tempfile
import textwrap
import unittest
import zipfile
from pathlib import Path

from installed import CLEAN, ROOT, STRIDED, WHEELS, InTemporaryFolder, expect, offline, run, skip, virtual_environment

try:
    import yaml
except ImportError:
    skip("no YAML reader here, so nobody ran the lines for CI services; scripts/test installs python3-yaml")

BLOCK = re.compile(r"^```(yaml|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROJECT = "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CUDA)\nadd_library(p STATIC src/a.cu)\n"


def commands(language, text):
    """The shell lines of one example, in their order."""
    if language == "sh":
        return text.splitlines()
    example = yaml.safe_load(textwrap.dedent(text))
    if isinstance(example, dict):
        if "jobs" not in example:
            return example["warplint"]["script"]
        example = example["jobs"]["warplint"]["steps"]
    return [step["run"] for step in example if "run" in step]


def examples():
    found = [commands(*match.groups()) for match in BLOCK.finditer((ROOT / "docs" / "ci.md").read_text())]
    return [lines for lines in found if lines]  # one holds only actions


def jobs():
    """The steps of every job in the documentation, with the page's name."""
    for page in sorted((ROOT / "docs").glob("*.md")):
        for language, text in BLOCK.findall(page.read_text()):
            example = yaml.safe_load(textwrap.dedent(text)) if language == "yaml" else None
            if isinstance(example, dict):
                for job in example.get("jobs", {}).values():
                    yield page.name, [step["run"] for step in job["steps"] if "run" in step]


def write_empty_wheels(folder, wheel):
    """Stands in for NVIDIA's wheels, which are too large to download for each test."""
    with zipfile.ZipFile(wheel) as archive:
        name, = (name for name in archive.namelist() if name.endswith("METADATA"))
        required = re.findall(r"^Requires-Dist: ([\w-]+)==([\d.]+)", archive.read(name).decode(), re.MULTILINE)
    for name, version in required:
        info = f"{name.replace('-', '_')}-{version}.dist-info"
        with zipfile.ZipFile(folder / f"{info.removesuffix('.dist-info')}-py3-none-any.whl", "w") as archive:
            archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
            archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr(f"{info}/RECORD", "")


class Service(InTemporaryFolder):
    """A checkout of a branch that adds a finding, on a machine of a service."""

    def setUp(self):
        super().setUp()
        self.tree = self.folder / "tree"
        self.write("tree/CMakeLists.txt", PROJECT)
        self.write("tree/src/a.cu", CLEAN)
        self.environment = offline() | {
            "HOME": str(self.folder), "WARPLINT_CACHE_DIR": str(self.folder / "cache"), "GITHUB_WORKSPACE": str(self.tree),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"), "CI_MERGE_REQUEST_DIFF_BASE_SHA": "origin/main"}
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "one"],
                      ["update-ref", "refs/remotes/origin/main", "HEAD"]):
            self.git(*words)
        self.write("tree/src/a.cu", CLEAN + STRIDED.replace(" k(", " l("))
        self.git("commit", "-q", "-a", "-m", "two")

    def git(self, *words):
        expect(run("git", "-c", "user.name=t", "-c", "user.email=t@t", *words, cwd=self.tree, env=self.environment))

    def program(self, name, text):
        self.write(f"environment/bin/{name}", f"#!/bin/sh\n{text}\n").chmod(0o755)

    def shell(self, line, **more):
        return run("bash", "-e", "-c", line, cwd=self.tree, env=self.environment | more)


class Pages(unittest.TestCase):
    # A job that only runs warplint ends with "command not found".
    def test_each_job_installs_what_it_runs(self):
        running = [(page, lines) for page, lines in jobs() if any("warplint " in line for line in lines)]
        self.assertLessEqual({"ci.md", "scale.md"}, {page for page, _ in running})
        for page, lines in running:
            self.assertRegex(lines[0], r"\bpip install .*\bwarplint", page)


class Documentation(Service):
    def setUp(self):
        super().setUp()
        if not shutil.which("nvcc"):
            self.skipTest("NO NVCC: the lines for CI services are not run, since their projects are CUDA's")
        virtual_environment(self.folder / "environment")
        self.environment["PATH"] = f"{self.folder / 'environment/bin'}:{os.environ['PATH']}"
        self.program("apt-get", "exit 0")
        self.program("gh", '[ "$2" = comment ] || git diff origin/main')
        packages = self.folder / "packages"
        packages.mkdir()
        write_empty_wheels(packages, next(WHEELS.glob("*.whl")))
        self.environment["PIP_FIND_LINKS"] += f" {packages}"

    def test_each_example_installs_warplint_and_finds_the_finding(self):
        self.assertGreaterEqual(len(examples()), 8)
        for lines in examples():
            with self.subTest("\n".join(lines)):
                self.assertRegex(lines[0], r"\bpip install .*\bwarplint")
                self.shell("pip uninstall --quiet --yes warplint")
                self.assertNotEqual(self.shell("command -v environment/bin/warplint").returncode, 0)
                said = ""
                for line in lines:
                    for context, value in {"github.base_ref": "main", "github.event.number": "1"}.items():
                        line = line.replace(f"${{{{ {context} }}}}", value)
                    done = self.shell(line)
                    said += done.stdout + done.stderr
                    # Findings are what warplint alone ends with.
                    self.assertIn(done.returncode, (0, 1) if "warplint check" in line else (0,), said)
                for report in self.tree.glob("*.*"):
                    if report.suffix in (".sarif", ".json", ".xml", ".html", ".md"):
                        said += report.read_text()
                        report.unlink()
                self.assertIn("strided-global-access", said)


class Action(Service):
    def step(self, name, **inputs):
        """Runs a step of the action with its inputs, the others as they are by default."""
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        values = {key: str(about["default"]) for key, about in action["inputs"].items()} | inputs
        step, = (step for step in action["runs"]["steps"] if step["name"] == name)
        variables = {key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: values[match[1]], text)
                     for key, text in step["env"].items()}
        return self.shell(step["run"], RUNNER_TEMP=str(self.folder), GITHUB_PATH=str(self.folder / "path"),
                          GITHUB_OUTPUT=str(self.folder / "output"), **variables)

    def lint(self, **inputs):
        (self.folder / "output").unlink(missing_ok=True)
        self.environment["PATH"] = f"{(self.folder / 'path').read_text().strip()}:{os.environ['PATH']}"
        return self.step("Lint", **inputs)

    def install(self, **inputs):
        self.write("bin/nvcc", "#!/bin/sh\nexit 1\n").chmod(0o755)  # with one, no other is downloaded
        self.environment["PATH"] = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        (self.folder / "path").unlink(missing_ok=True)
        expect(self.step("Install warplint", **inputs))

    # Before the first release, and for a change that none has yet.
    def test_it_installs_the_wheel_that_is_named(self):
        wheel, = WHEELS.glob("*.whl")
        for name in (str(wheel), wheel.as_uri()):
            shutil.rmtree(self.folder / "warplint", ignore_errors=True)
            self.install(wheel=name, version="99.0.0")
            expect(self.lint(arguments="--no-judge src/"))
            self.assertEqual((self.folder / "output").read_text(), "exit-code=1\n")

    def test_it_installs_lints_and_says_how_it_went(self):
        self.install()
        expect(self.lint(arguments="--no-judge src/"))
        self.assertEqual((self.folder / "output").read_text(), "exit-code=1\n")
        results = json.loads((self.tree / "warplint.sarif").read_text())["runs"][0]["results"]
        self.assertEqual([result["ruleId"] for result in results], ["strided-global-access"])
        expect(self.lint(**{"arguments": "--no-judge src/", "fail-on-findings": "true"}), code=1)
        expect(self.lint(arguments="--no-such-option"), code=2)


if __name__ == "__main__":
    if not list(WHEELS.glob("*.whl")):
        skip(f"no wheel in {WHEELS}, so nobody installed it as CI services do")
    unittest.main()
