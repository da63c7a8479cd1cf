"""The scripts that contributors and reviewers lean on, run as they run them."""

import json
import os
import shutil
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


class PreCommit(InTemporaryFolder):
    """The real pre-commit with the hooks of this repository, as it lies here."""

    def setUp(self):
        super().setUp()
        if not shutil.which("pre-commit") or not (ROOT / "build" / "warplint").exists():
            self.skipTest("NO PRE-COMMIT: the hooks are not tested")
        self.environment = dict(os.environ, HOME=str(self.folder), PATH=f"{ROOT / 'build'}:{os.environ['PATH']}")
        self.hooks = self.folder / "hooks"
        self.hooks.mkdir()
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", self.hooks)
        self.commit(self.hooks, "init", "-q", ".")
        self.commit(self.hooks, "add", "-A")
        self.commit(self.hooks, "commit", "-q", "-m", "hooks")
        self.tree = self.folder / "tree"
        self.tree.mkdir()
        self.commit(self.tree, "init", "-q", ".")
        (self.tree / ".pre-commit-config.yaml").write_text(
            f"repos:\n  - repo: {self.hooks}\n    rev: HEAD\n    hooks:\n      - id: warplint-source\n")
        done = run("pre-commit", "install", cwd=self.tree, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)

    def commit(self, folder, *words):
        return run("git", "-c", "user.name=t", "-c", "user.email=t@t", *words, cwd=folder, env=self.environment)

    def commit_of(self, **files):
        for name, text in files.items():
            (self.tree / name.replace("_", ".")).write_text(text)
        self.commit(self.tree, "add", "-A")
        return self.commit(self.tree, "commit", "-m", "next")

    def test_a_bad_commit_is_stopped_and_a_good_one_is_not(self):
        kernel = "__global__ void k(float *x) {{ x[threadIdx.x{}] = 1; }}\n"
        self.assertEqual(self.commit_of(readme_md="no CUDA here\n").returncode, 0)
        self.assertEqual(self.commit_of(main_cpp="int main() {}\n").returncode, 0)
        good = self.commit_of(a_cu=kernel.format(""))
        self.assertEqual(good.returncode, 0, good.stdout + good.stderr)
        bad = self.commit_of(a_cu=kernel.format("") + kernel.replace(" k(", " l(").format(" * 32"))
        self.assertNotEqual(bad.returncode, 0)
        self.assertIn("a.cu:2:", bad.stdout + bad.stderr)
        self.assertIn("strided-global-access", bad.stdout + bad.stderr)


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
