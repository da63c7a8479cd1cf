"""A tree in sixteen shares on a real Slurm: what docs/scale.md tells people to submit, submitted.

slurm_test.py PATH-TO-WARPLINT; exits with 77, which is "skipped", where there is no Slurm or it does not start.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

WARPLINT = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else Path("warplint")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from slurm_cluster import Cluster, DoesNotStart, missing_programs, wait_until  # noqa: E402


def the_documented_jobs():
    page = (ROOT / "docs" / "scale.md").read_text()
    return re.search(r"^### Slurm\n.*?^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL).group(1)


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="warplint-slurm")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        cls.cluster = Cluster(cls.folder, WARPLINT)
        cls.addClassCleanup(cls.cluster.stop)
        try:
            cls.cluster.start()
        except DoesNotStart as why:
            cls.doClassCleanups()
            print(f"SKIPPED: {why}", file=sys.stderr)
            sys.exit(77)

    def tree(self, name):
        """Some of our kernels with the commands of a build."""
        tree = self.folder / name
        (tree / "src").mkdir(parents=True)
        for source in ("arithmetic.cu", "blocks.cu", "launches.cu", "locals.cu", "shared.cu", "accessors.h", "truth.h"):
            shutil.copy(ROOT / "kernels" / "truth" / source, tree / "src")
        (tree / "build").mkdir()
        commands = [{"directory": str(tree / "build"), "file": str(source),
                     "arguments": ["nvcc", "-arch=sm_90", "-c", str(source)]}
                    for source in sorted((tree / "src").rglob("*.cu"))]
        (tree / "build" / "compile_commands.json").write_text(json.dumps(commands))
        return tree

    def warplint(self, tree, *arguments):
        return subprocess.run([WARPLINT, *arguments], cwd=tree, env=self.cluster.environment, capture_output=True, text=True)

    def submit(self, tree):
        done = subprocess.run(["bash", "-euc", the_documented_jobs()], cwd=tree, env=self.cluster.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue(wait_until(lambda: not self.cluster.says("squeue", "--noheader"), 400),
                        self.cluster.says("squeue") + self.said(tree) + self.cluster.logs())

    def said(self, tree):
        """By all jobs."""
        return "".join(file.read_text() for file in sorted(tree.glob("slurm-*.out")))

    def testTheReportIsThatOfOneMachine(self):
        tree = self.tree("whole")
        self.submit(tree)
        self.assertEqual(len(list(tree.glob("part*"))), 16, self.said(tree))
        whole = self.warplint(tree, "check", "-p", "build", "--format", "html", "-o", "whole.html")
        self.assertIn(whole.returncode, (1, 3), whole.stderr)  # 3: a machine without a toolkit
        self.assertTrue((tree / "report.html").exists(), self.said(tree))
        self.assertEqual((tree / "report.html").read_bytes(), (tree / "whole.html").read_bytes())
        parts = [file.name for file in tree.glob("part*")]
        for form in ("text", "json", "markdown", "sarif"):
            with self.subTest(form):
                merged = self.warplint(tree, "merge", *parts, "--format", form)
                alone = self.warplint(tree, "check", "-p", "build", "--format", form)
                self.assertEqual((merged.returncode, merged.stdout), (alone.returncode, alone.stdout))

    # Half a report would look like a good one.
    def testAShareThatFailsLeavesNoReport(self):
        tree = self.tree("broken")
        (tree / "build" / "compile_commands.json").write_text("[{")
        self.submit(tree)
        self.assertEqual(self.said(tree).count("cannot read compile database"), 16)
        self.assertFalse((tree / "report.html").exists())


if __name__ == "__main__":
    if missing := missing_programs():
        print(f"SKIPPED: no {', '.join(missing)}; Debian's slurm-wlm has what is needed", file=sys.stderr)
        sys.exit(77)
    unittest.main()
