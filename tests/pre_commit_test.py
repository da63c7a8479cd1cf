"""The real pre-commit in a real repository, with the hooks that install the wheel and those that run a program on PATH.

pre_commit_test.py BUILD-FOLDER
"""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from installed import BUILD, CLEAN, ROOT, STRIDED, WHEELS, expect, run, skip


class Repository:
    """A repository of a user's, and the repository that its hooks come from."""

    def __init__(self, folder, hooks, **environment):
        self.environment = dict(os.environ, HOME=str(folder), GIT_CONFIG_NOSYSTEM="1", **environment)
        for role in ("AUTHOR", "COMMITTER"):
            self.environment |= {f"GIT_{role}_NAME": "t", f"GIT_{role}_EMAIL": "t@t"}
        self.tree = hooks
        self.git("init", "-q", ".")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "hooks")
        self.git("tag", "v1")
        self.tree = folder / "tree"
        self.tree.mkdir()
        self.git("init", "-q", "-b", "main", ".")
        (self.tree / ".pre-commit-config.yaml").write_text(
            f"repos:\n  - repo: {hooks}\n    rev: v1\n    hooks:\n      - id: warplint-source\n")

    def git(self, *words):
        return expect(run("git", *words, cwd=self.tree, env=self.environment))

    def pre_commit(self, *words):
        return run("pre-commit", *words, cwd=self.tree, env=self.environment)

    def write(self, **files):
        for name, text in files.items():
            (self.tree / name.replace("_", ".")).write_text(text)
        self.git("add", "-A")

    def commit(self, **files):
        """Commits with the hooks."""
        self.write(**files)
        return run("git", "commit", "-m", "next", cwd=self.tree, env=self.environment)

    def commit_unseen(self, **files):
        self.write(**files)
        self.git("commit", "-q", "--no-verify", "-m", "unseen")


class Hooks:
    """The same tests for both ways to install the hooks."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        folder = Path(scratch.name).resolve()
        cls.repository = cls.make(folder)
        done = cls.repository.pre_commit("install", "--install-hooks")
        if done.returncode != 0 and "setuptools" in done.stdout + done.stderr:
            raise unittest.SkipTest("NO SETUPTOOLS: pip cannot build the hooks' package, so they are not tested")
        expect(done)

    def setUp(self):
        self.repository.git("checkout", "-q", "--orphan", self.id().rsplit(".", 1)[1])
        self.repository.commit_unseen(readme_md="no CUDA here\n", a_cu=CLEAN)
        self.addCleanup(self.repository.git, "checkout", "-q", "-f", "HEAD")

    def expect_finding(self, done, place):
        self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(place, done.stdout + done.stderr)
        self.assertIn("strided-global-access", done.stdout + done.stderr)

    def expect_passed(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("strided-global-access", done.stdout + done.stderr)

    def test_a_commit_with_a_finding_is_stopped(self):
        self.expect_finding(self.repository.commit(a_cu=CLEAN + STRIDED.replace(" k(", " l(")), "a.cu:2:")

    def test_a_clean_commit_passes_beside_old_findings(self):
        self.repository.commit_unseen(a_cu=STRIDED)
        self.expect_passed(self.repository.commit(a_cu=STRIDED + CLEAN.replace(" k(", " l(")))
        self.expect_passed(self.repository.commit(main_cpp="int main() {}\n"))

    def test_a_header_counts_where_it_is_included(self):
        self.repository.commit_unseen(a_cu='#include "b.h"\n' + CLEAN, b_h="")
        self.expect_finding(self.repository.commit(b_h=STRIDED.replace(" k(", " l(")), "b.h:1:")

    # A service runs the hooks on a branch that nobody's own hooks have seen.
    def test_a_branch_with_a_finding_fails(self):
        start = self.repository.git("rev-parse", "HEAD").stdout.strip()
        self.repository.commit_unseen(a_cu=CLEAN + STRIDED.replace(" k(", " l("))
        self.expect_finding(self.repository.pre_commit("run", "--from-ref", start, "--to-ref", "HEAD"), "a.cu:2:")

    def test_a_clean_branch_passes_beside_old_findings(self):
        self.repository.commit_unseen(a_cu=STRIDED)
        start = self.repository.git("rev-parse", "HEAD").stdout.strip()
        self.repository.commit_unseen(a_cu=STRIDED + "// clean\n")
        self.expect_passed(self.repository.pre_commit("run", "--from-ref", start, "--to-ref", "HEAD"))

    def test_all_files_are_linted_whole(self):
        self.repository.commit_unseen(b_cu=STRIDED)
        self.expect_finding(self.repository.pre_commit("run", "--all-files"), "b.cu:1:")
        self.repository.commit_unseen(b_cu=CLEAN)
        self.expect_passed(self.repository.pre_commit("run", "--all-files"))


class FromTheWheel(Hooks, unittest.TestCase):
    @classmethod
    def make(cls, folder):
        if not list(WHEELS.glob("*.whl")):
            raise unittest.SkipTest(f"NO WHEEL in {WHEELS}: the hooks that install it are not tested")
        hooks = folder / "hooks"
        shutil.copytree(ROOT / "packaging" / "pre-commit", hooks)
        path = ":".join(part for part in os.environ["PATH"].split(":") if not Path(part, "warplint").exists())
        return Repository(folder, hooks, PIP_FIND_LINKS=str(WHEELS), PATH=path)


class FromPath(Hooks, unittest.TestCase):
    @classmethod
    def make(cls, folder):
        hooks = folder / "hooks"
        (hooks / "packaging").mkdir(parents=True)
        shutil.copytree(ROOT / "packaging" / "pre-commit", hooks / "packaging" / "pre-commit")
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
        return Repository(folder, hooks, PATH=f"{BUILD}:{os.environ['PATH']}")


if __name__ == "__main__":
    if not shutil.which("pre-commit"):
        skip("no pre-commit here, so the hooks are not tested; scripts/test installs it")
    unittest.main()
