"""The scripts that contributors and reviewers lean on, run as they run them."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "scripts"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


class InTemporaryFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def executable(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path


class NewCheck(InTemporaryFolder):
    def new_check(self, name):
        return run(SCRIPTS / "new-check", name, "--root", self.folder)

    # A contributor's first step: a skeleton with errors or warnings would
    # send everybody reading headers before they wrote a line.
    def test_the_skeleton_compiles_without_a_warning(self):
        self.assertEqual(self.new_check("warp-shuffle-chain").returncode, 0)
        done = run(os.environ.get("CXX", "c++"), "-std=c++20", "-fno-rtti", "-Wall", "-Wextra", "-Werror",
                   "-fsyntax-only", "-isystem", "/usr/lib/llvm-22/include", "-I", ROOT / "linter",
                   self.folder / "checks" / "warp-shuffle-chain.cpp")
        self.assertEqual(done.returncode, 0, done.stderr)
        fixture = (self.folder / "fixtures" / "warp-shuffle-chain.cu").read_text()
        self.assertIn("// expect: warp-shuffle-chain", fixture)

    def test_a_check_that_exists_is_not_overwritten(self):
        self.new_check("warp-shuffle-chain")
        source = self.folder / "checks" / "warp-shuffle-chain.cpp"
        source.write_text("a day's work")
        self.assertNotEqual(self.new_check("warp-shuffle-chain").returncode, 0)
        self.assertEqual(source.read_text(), "a day's work")

    def test_an_id_that_cannot_follow_allow_is_refused(self):
        for name in ("DynamicArray", "dynamic_array", "dynamic", "-dynamic-array", "dynamic-array-", "../dynamic-array"):
            done = self.new_check(name) if not name.startswith("-") else run(
                SCRIPTS / "new-check", "--root", self.folder, "--", name)
            self.assertNotEqual(done.returncode, 0, name)
        self.assertEqual(list(self.folder.rglob("*.cpp")), [])


class DiffCorpus(InTemporaryFolder):
    def binary(self, name, findings, code=1):
        report = json.dumps({"findings": findings})
        return self.executable(name, f"#!/bin/sh\ncat <<'E'\n{report}\nE\nexit {code}\n")

    @staticmethod
    def finding(line, verdict="confirmed"):
        return {"check": "a-check", "file": "x.cu", "line": line, "column": 3,
                "message": f"line {line}", "verdict": verdict, "level": "likely", "kernels": []}

    # The table is the evidence of a pull request: what it leaves out, no
    # reviewer sees.
    def test_new_removed_and_changed_findings_are_listed(self):
        old = self.binary("old", [self.finding(1), self.finding(2), self.finding(3)])
        new = self.binary("new", [self.finding(2), self.finding(3, "refuted"), self.finding(4)])
        done = run(SCRIPTS / "diff-corpus", "all", old, new, self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 new, 1 gone, 1 with another verdict, 1 as before", done.stdout)
        self.assertIn("| gone | confirmed | a-check | x.cu:1:3 | line 1 |", done.stdout)
        self.assertIn("| new | confirmed | a-check | x.cu:4:3 | line 4 |", done.stdout)
        self.assertIn("| changed | confirmed → refuted | a-check | x.cu:3:3 | line 3 |", done.stdout)
        self.assertNotIn("x.cu:2:3", done.stdout)

    def test_a_failed_run_is_not_taken_for_a_clean_one(self):
        old = self.binary("old", [self.finding(1)])
        new = self.executable("new", "#!/bin/sh\necho 'cannot do this' >&2\nexit 2\n")
        done = run(SCRIPTS / "diff-corpus", "all", old, new, self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cannot do this", done.stderr)


class Release(InTemporaryFolder):
    """In a small repository of its own; what builds and tests only says that it ran."""

    def setUp(self):
        super().setUp()
        self.executable("scripts/release", (SCRIPTS / "release").read_text())
        for name in ("scripts/warplint", "scripts/refresh-docs", "scripts/test", "packaging/wheel", "bin/cpack"):
            self.executable(name, f"#!/bin/sh\necho {Path(name).name} \"$@\" >>ran\n")
        for name, text in {
                "CHANGELOG.md": "# Changes\n\n`next` is the coming release.\n\n## next\n\n- all\n",
                "CMakeLists.txt": "cmake_minimum_required(VERSION 3.25)\nproject(warplint VERSION 0.1.0 LANGUAGES C)\n",
                "action.yml": "inputs:\n  version:\n    default: 0.1.0\n",
                "packaging/pre-commit/pyproject.toml": '[project]\nversion = "0.1.0"\ndependencies = ["warplint==0.1.0"]\n',
                "packaging/pre-commit/README.md": "    rev: v0.1.0\n", "docs/json.md": '"warplint": "0.1.0"\n', "docs/ci.md": "- uses: OWNER/warplint@v0.1.0\n",
                "docs/install.md": "No release is published yet. `find_package(warplint 0.1)`\n",
                "checks/a-check.cpp": '    .since = "next",\n', "checks/old-check.cpp": '    .since = "0.1.0",\n',
                ".gitignore": "/ran\n/bin/\n"}.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        self.git("init", "-q", ".")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")

    def git(self, *words):
        return run("git", "-c", "user.name=t", "-c", "user.email=t@t", *words, cwd=self.folder).stdout

    def release(self, *words):
        environment = dict(os.environ, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}")
        for role in ("AUTHOR", "COMMITTER"):
            environment |= {f"GIT_{role}_NAME": "t", f"GIT_{role}_EMAIL": "t@t"}
        return run(self.folder / "scripts" / "release", *words, env=environment)

    # A version that one place keeps is found by the users of that place.
    def test_the_version_is_written_everywhere_and_tagged(self):
        done = self.release("0.2.0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.git("grep", "-l", "0\\.1\\.0"), "checks/old-check.cpp\n")
        self.assertEqual(self.git("grep", "-w", "next", "--", ":!scripts"), "CHANGELOG.md:`next` is the coming release.\n")
        self.assertRegex((self.folder / "CHANGELOG.md").read_text(), r"\n## 0\.2\.0, \d{4}-\d\d-\d\d\n")
        self.assertIn("(warplint 0.2)", (self.folder / "docs/install.md").read_text())
        self.assertIn("install.md must no longer say", done.stdout)
        self.assertEqual(self.git("tag", "--points-at", "HEAD"), "v0.2.0\n")
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual((self.folder / "ran").read_text(),
                         "warplint --version\nrefresh-docs\nwheel dist\ncpack --config build/CPackConfig.cmake -B dist\ntest\n")

    def test_what_fails_its_tests_is_not_tagged(self):
        self.executable("scripts/test", "#!/bin/sh\nexit 8\n")
        self.git("commit", "-q", "-a", "-m", "broken")
        done = self.release("0.2.0")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("'scripts/test' ended with 8", done.stderr)
        self.assertEqual(self.git("tag"), "")

    def test_what_is_not_committed_is_not_released(self):
        (self.folder / "CMakeLists.txt").write_text("project(other)\n")
        done = self.release("0.2.0")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("not committed", done.stderr)
        self.assertEqual((self.folder / "CMakeLists.txt").read_text(), "project(other)\n")

    def test_a_version_is_released_once(self):
        self.git("tag", "v0.2.0")
        self.assertIn("already", self.release("0.2.0").stderr)
        self.assertIn("is no version", self.release("0.2").stderr)


class RefreshDocs(InTemporaryFolder):
    """In a small repository of its own, with a program that says one thing."""

    def setUp(self):
        super().setUp()
        for script in ("refresh-docs", "common.sh", "setup"):
            self.executable(f"scripts/{script}", (SCRIPTS / script).read_text())
        self.executable("build/warplint", "#!/bin/sh\necho \"ran $*\"\n")
        self.nvcc_of_release("13.0.88")
        for folder in ("checks", "docs"):
            (self.folder / folder).mkdir()
        (self.folder / "checks" / "a-check.cpp").touch()
        self.readme = self.folder / "README.md"
        self.readme.write_text(
            "before\n```console\n$ warplint check x\nold\nlines\n$ true\n```\n```sh\n$ exit 9\nkept\n```\nafter\n")

    def nvcc_of_release(self, release):
        self.executable("nvcc/bin/nvcc", f"#!/bin/sh\necho 'Cuda compilation tools, release 1.0, V{release}'\n")

    def refresh(self, *flags):
        environment = dict(os.environ, CUDA_PATH=str(self.folder / "nvcc"))
        return run(sys.executable, self.folder / "scripts" / "refresh-docs", *flags, env=environment)

    def test_transcripts_are_rerun_and_other_text_is_unchanged(self):
        done = self.refresh()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(
            self.readme.read_text(),
            "before\n```console\n$ warplint check x\nran check x\n$ true\n```\n```sh\n$ exit 9\nkept\n```\nafter\n")
        self.assertIn("ran explain a-check", (self.folder / "docs" / "checks.md").read_text())

    def test_check_fails_on_a_stale_page_without_writing_it(self):
        before = self.readme.read_text()
        done = self.refresh("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("+ran check x", done.stdout)
        self.assertEqual(self.readme.read_text(), before)
        self.refresh()
        self.assertEqual(self.refresh("--check").returncode, 0)

    # Else everybody with another CUDA would have a red CI and no cure.
    def test_another_release_of_the_compiler_does_not_fail(self):
        self.nvcc_of_release("12.4.131")
        done = self.refresh("--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("12.4.131", done.stdout)

    def test_a_failing_command_writes_no_output(self):
        self.executable("build/warplint", "#!/bin/sh\necho 'no such flag'; exit 2\n")
        before = self.readme.read_text()
        done = self.refresh()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no such flag", done.stderr)
        self.assertEqual(self.readme.read_text(), before)


if __name__ == "__main__":
    unittest.main()
