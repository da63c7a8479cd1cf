"""The scripts that contributors and reviewers lean on, run as they run them."""

import hashlib
import json
import os
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS))
sys.dont_write_bytecode = True
import real_bench  # noqa: E402


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
                "dist/warplint-0.1.0.tar.gz": "", ".gitignore": "/ran\n/bin/\n/dist/\n"}.items():
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
        self.assertFalse((self.folder / "dist").exists(), "holds packages of an older release")
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


class Rank(InTemporaryFolder):
    """With a linter that says what a file holds, so that the grades are known."""

    HEADER = "program,place,check,kernel,object,share,minor,gain\n"

    def table(self, *rows, header=HEADER):
        path = self.folder / "cures.csv"
        path.write_text(header + "".join(row + "\n" for row in rows))
        return path

    def programs(self, half, count):
        """Names of programs that the hash puts into a half."""
        names, number = [], 0
        while len(names) < count:
            number += 1
            bit = hashlib.sha256(f"p{number}".encode()).digest()[0] % 2
            if (half == "fit") == bool(bit):
                names.append(f"p{number}")
        return names

    def rank(self, table, *flags, warplint="no-such-program"):
        done = run(SCRIPTS / "rank", warplint, table, *flags)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    # Else constants fitted to the cures would be graded with the same cures.
    def test_what_was_fitted_is_not_what_is_reported(self):
        fit, report = self.programs("fit", 3), self.programs("report", 4)
        table = self.table(*[f"{name},{name}.cu:{n},a-check,k,,0.{n},false,{4 - n}.0" for n, name in enumerate(fit, 1)],
                           *[f"{name},{name}.cu:{n},a-check,k,,0.{n},false,{n}.0" for n, name in enumerate(report, 1)])
        self.assertIn("4 of 4 cured findings have a share\nSpearman 1.00, Kendall 1.00\n", self.rank(table))
        self.assertIn("3 of 3 cured findings have a share\nSpearman -1.00, Kendall -1.00\n",
                      self.rank(table, "--half", "fit"))
        self.assertIn("7 of 7 cured findings", self.rank(table, "--half", "both"))

    def test_the_cures_of_one_program_are_in_one_half(self):
        name, = self.programs("report", 1)
        table = self.table(*[f"{name},{name}.cu:{line},a-check,k{line},,0.{line},false,1.{line}" for line in range(1, 9)])
        self.assertIn("8 of 8 cured findings", self.rank(table))

    # The sentence that a reader acts upon: a minor finding that was worth the work, by name.
    def test_a_minor_finding_that_gained_is_named(self):
        a, b, c, d = self.programs("report", 4)
        table = self.table(f"{a},{a}.cu:7,a-check,lost,,0.01,true,1.31", f"{b},{b}.cu:2,a-check,k,,0.01,true,1.29",
                           f"{c},{c}.cu:3,a-check,k,,0.2,false,1.1", f"{d},{d}.cu:4,a-check,k,,0.6,false,1.3")
        said = self.rank(table)
        self.assertIn("not minor: 2; gained 1.1x or more: 100%, 1.3x or more: 50%\n", said)
        self.assertIn(f"minor, and gained 1.3x or more: 1\n  {a} {a}.cu:7: lost [a-check] gained 1.31x, predicted 0.01\n", said)

    # What another --min-share would leave out, and what it would lose; an opinion is not reported anyway.
    def test_other_borders_leave_less_and_lose_more(self):
        names = self.programs("report", 5)
        checks, shares, gains = ["a-check"] * 4 + ["b-check"], [0.01, 0.02, 0.04, 0.5, 0.04], [1.0, 1.0, 1.3, 2.0, 9.0]
        table = self.table(*[f"{name},x.cu:{line},{check},k,,0.1,false,{gain}"
                             for line, (name, check, gain) in enumerate(zip(names, checks, gains), 1)])
        (self.folder / "x.cu").touch()
        linter = self.linter(*[(check, "x.cu", line, [], "k", "", "confirmed", share)
                               for line, (check, share) in enumerate(zip(checks, shares), 1)])
        said = self.rank(table, "--sources", self.folder, warplint=linter)
        self.assertIn("of these no opinion: 3; gained 1.1x or more: 67%, 1.3x or more: 67%\n", said)
        self.assertIn("no opinion, 3% or more: 2; gained 1.1x or more: 100%, 1.3x or more: 100%;"
                      " below, and gained 1.3x or more: 0\n"
                      "no opinion, 5% or more: 1; gained 1.1x or more: 100%, 1.3x or more: 100%;"
                      " below, and gained 1.3x or more: 1\n", said)

    # Else a finding that nobody can price would be graded as one without any gain.
    def test_a_finding_without_a_share_is_counted_apart(self):
        a, b, c = self.programs("report", 3)
        table = self.table(f"{a},{a}.cu:1,a-check,k,,,false,9.0", f"{b},{b}.cu:1,a-check,k,,0.1,false,1.0",
                           f"{c},{c}.cu:1,a-check,k,,0.5,false,2.0")
        said = self.rank(table)
        self.assertIn("2 of 3 cured findings have a share\nSpearman 1.00", said)

    def linter(self, *findings):
        report = {"findings": [
            {"check": check, "file": file, "line": line, "object": about, "share": share, "minor": share < 0.02,
             "level": "opinion" if check == "b-check" else "likely",
             "places": [{"file": file, "line": other} for other in others],
             "kernels": [{"name": kernel, "verdict": verdict}]}
            for check, file, line, others, kernel, about, verdict, share in findings]}
        return self.executable("linter", f"#!/bin/sh\necho $* >>{self.folder}/asked\ncat <<'END'\n{json.dumps(report)}\nEND\n")

    # The table's shares are those of the day it was measured: what is graded is the linter of today.
    def test_with_the_sources_shares_are_those_of_today(self):
        a, b = self.programs("report", 2)
        table = self.table(f"{a},s/x.cu:3,a-check,step,,0.1,false,1.0", f"{b},s/x.cu:9,a-check,step,,0.2,false,2.0",
                           f"{b},s/x.cu:20,a-check,step,y,0.2,false,3.0")
        linter = self.linter(("a-check", "/any/where/x.cu", 3, [4], "n::step<float>", "x", "confirmed", 0.7),
                             ("a-check", "x.cu", 8, [9], "step [instance 2]", "x", "confirmed", 0.01),
                             ("a-check", "x.cu", 20, [], "step", "x", "confirmed", 0.6),
                             ("a-check", "x.cu", 20, [], "step", "y", "unjudged", 0.005),
                             ("b-check", "x.cu", 9, [], "step", "x", "confirmed", 0.9),
                             ("a-check", "x.cu", 9, [], "step", "x", "refuted", 0.8))
        (self.folder / "s").mkdir()
        for name in ("x.cu", "y.cu"):
            (self.folder / "s" / name).touch()
        said = self.rank(table, "--sources", self.folder, "-v", "--", "-DN=1", warplint=linter)
        self.assertEqual((self.folder / "asked").read_text().count("s/x.cu " + str(self.folder / "s/y.cu") + " -- -DN=1"), 1)
        self.assertIn("s/x.cu:3: step [a-check] gained 1.00x, predicted 0.70\n", said)
        self.assertIn("s/x.cu:9: step [a-check] gained 2.00x, predicted 0.01 minor\n", said)
        self.assertIn("s/x.cu:20: step [a-check] gained 3.00x, predicted 0.01 minor\n", said)
        self.assertIn("Spearman -1.00", said)

    # A user reads the finding that stands for both objects, and what is off unless asked for does not reach him.
    def test_shares_are_those_of_what_a_user_reads(self):
        a, b, c = self.programs("report", 3)
        header = self.HEADER.replace("\n", ",also\n")
        table = self.table(f"{a},x.cu:3,a-check,step,x,0.1,false,3.0,y", f"{b},x.cu:4,a-check,step,x,0.1,false,1.2,",
                           f"{c},x.cu:5,b-check,step,,0.2,false,1.0,", header=header)
        (self.folder / "x.cu").touch()
        linter = self.linter(("a-check", "x.cu", 3, [], "step", "x", "confirmed", 0.3),
                             ("a-check", "x.cu", 2, [3], "step", "y", "confirmed", 0.7),
                             ("a-check", "x.cu", 4, [], "step", "x", "confirmed", 0.2),
                             ("a-check", "x.cu", 4, [], "step", "y", "confirmed", 0.6),
                             ("b-check", "x.cu", 5, [], "step", "x", "confirmed", 0.9))
        said = self.rank(table, "--sources", self.folder, "-v", warplint=linter)
        self.assertIn("x.cu:3: step [a-check] gained 3.00x, predicted 0.70\n", said)
        self.assertIn("x.cu:4: step [a-check] gained 1.20x, predicted 0.20\n", said)
        self.assertIn("x.cu:5: step [b-check] gained 1.00x, predicted 0.90 (opinion)\n", said)
        self.assertIn("not minor: 3; gained 1.1x or more: 67%, 1.3x or more: 33%\n"
                      "of these no opinion: 2; gained 1.1x or more: 100%, 1.3x or more: 50%\n", said)

    def test_twins_are_looked_up_by_kernel_whatever_the_line(self):
        table = self.table("x.cu,step,a-check,3.0", "x.cu,other,a-check,1.0", "x.cu,gone,a-check,1.0",
                           header="file,kernel,check,gain\n")
        linter = self.linter(("a-check", "x.cu", 3, [], "step", "", "confirmed", 0.1),
                             ("a-check", "x.cu", 8, [], "step", "", "confirmed", 0.4),
                             ("a-check", "x.cu", 20, [], "other", "", "confirmed", 0.2))
        said = self.rank(table, "-v", warplint=linter)
        self.assertIn("x.cu: step [a-check] gained 3.00x, predicted 0.40\n", said)
        self.assertIn("x.cu: gone [a-check] gained 1.00x, not found\n", said)
        self.assertIn("2 of 3 cured findings have a share\nSpearman 1.00", said)


class RealBench(InTemporaryFolder):
    """The numbers by which a release is called fast or slow."""

    @staticmethod
    def taken(cpu, wall=1.0, memory=100.0, failed=False):
        return real_bench.Taken(wall, cpu, memory, failed)

    def source(self, name):
        return real_bench.Source("p", Path(name), self.folder, ())

    def test_a_ratio_of_sums_and_the_median_of_ratios_are_told_apart(self):
        ours = {"a": self.taken(1), "b": self.taken(2), "c": self.taken(90)}
        theirs = {"a": self.taken(2), "b": self.taken(2), "c": self.taken(30)}
        of = real_bench.ratios(ours, theirs, "cpu", worst=2)
        self.assertEqual((of.sources, of.median, of.worst), (3, 1.0, [(3.0, "c"), (1.0, "b")]))
        self.assertAlmostEqual(of.sum, 93 / 34)

    # A source that one tool cannot read takes that tool no time.
    def test_a_source_that_one_tool_cannot_read_is_left_out_of_both_sums(self):
        ours = {"a": self.taken(1), "b": self.taken(8), "c": self.taken(4, failed=True), "d": self.taken(5)}
        theirs = {"a": self.taken(2), "b": self.taken(0.1, failed=True), "c": self.taken(4)}
        of = real_bench.ratios(ours, theirs, "cpu")
        self.assertEqual((of.sources, of.median, of.sum), (1, 0.5, 0.5))
        self.assertIsNone(real_bench.ratios({"b": ours["b"]}, theirs, "cpu"))

    def test_of_several_runs_the_median_time_and_the_largest_memory_count(self):
        runs = [self.taken(3, 9, 100), self.taken(1, 7, 300), self.taken(2, 8, 200)]
        self.assertEqual(real_bench.median_of(runs), self.taken(2, 8, 300))
        self.assertTrue(real_bench.median_of([self.taken(1), self.taken(1, failed=True)]).failed)

    def test_cpu_time_and_memory_are_those_of_all_processes_of_a_run(self):
        busy = ("import subprocess, sys\n"
                "work = 'import time; x = bytearray(64 << 20)\\nwhile time.process_time() < 0.3: pass'\n"
                "subprocess.run([sys.executable, '-c', work], check=True)")
        of = real_bench.take([sys.executable, "-c", busy], self.folder)
        self.assertFalse(of.failed)
        self.assertGreater(of.cpu, 0.29)
        self.assertGreater(of.memory, 64)
        idle = real_bench.take([sys.executable, "-c", "import time; time.sleep(0.3); raise SystemExit(4)"], self.folder)
        self.assertTrue(idle.failed)
        self.assertGreater(idle.wall, 0.29)
        self.assertLess(idle.cpu, 0.29)
        self.assertLess(idle.memory, of.memory)

    def test_a_run_over_the_limit_ends_with_all_its_processes(self):
        work = f"import time; time.sleep(60)  # {self.folder}"
        run = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {work!r}])"
        of = real_bench.take([sys.executable, "-c", run], self.folder, limit=2)
        self.assertTrue(of.failed)
        # A busy machine takes a moment to end what was killed; what was not sleeps for a minute.
        deadline = time.monotonic() + 20
        while True:
            left = subprocess.run(["pgrep", "-f", str(self.folder)], capture_output=True, text=True)
            if not left.stdout or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        self.assertEqual(left.stdout, "")

    # A first user reads a checkout, not one source after the other.
    def test_all_sources_of_a_project_are_read_in_one_run(self):
        linter = self.executable("linter", f"#!/bin/sh\necho \"$@\" >> {self.folder}/runs\ntest ! -e \"$WARPLINT_CACHE_DIR\"\n")
        tools = real_bench.NamedTuple("Tools", [("warplint", Path), ("cuda", str), ("scratch", Path)])(linter, "/cuda", self.folder)
        one, two, failed = (real_bench.Source("p", self.folder / name, self.folder, ("-DN=a b",)) for name in ("1.cu", "2.cu", "3.cu"))
        other = real_bench.Source("q", self.folder / "4.cu", self.folder, ())
        parsed = {one: self.taken(2, 3), two: self.taken(4, 5), failed: self.taken(1, failed=True)}
        taken = real_bench.at_once(tools, [one, other, two, failed], parsed, 1)
        count, ours, theirs = taken["p"]
        self.assertEqual((list(taken), count, ours.failed), (["p"], 2, False))
        self.assertEqual((theirs.cpu, theirs.wall), (6, 8))
        [line] = (self.folder / "runs").read_text().splitlines()
        self.assertIn(f"--no-judge -p {self.folder}/compile_commands.json {one.file} {two.file}", line)
        database = json.loads((self.folder / "compile_commands.json").read_text())
        self.assertEqual([entry["arguments"] for entry in database], [["nvcc", "-c", "-DN=a b", str(source.file)] for source in (one, two)])
        self.assertIn("p: 2 sources, CPU ", real_bench.table_at_once(taken))

    def test_a_database_gives_its_cuda_sources_without_their_outputs(self):
        for name in ("b.cu", "a.cu", "c.cu", "plain.cpp", "as_cuda.cpp"):
            (self.folder / name).touch()
        (self.folder / "build").mkdir()
        entry = lambda file, command: {"directory": str(self.folder), "file": file, "command": command}
        (self.folder / "build" / "compile_commands.json").write_text(json.dumps([
            entry("b.cu", "nvcc -Iinc -O3 -MD -MT b.o -MF b.d -x cu -c b.cu -o out/b.o"),
            entry("b.cu", "nvcc -DAGAIN -c b.cu -o b2.o"),
            entry("a.cu", "nvcc -dc a.cu -o a.o"), entry("c.cu", "nvcc -c c.cu"),
            entry("plain.cpp", "c++ -c plain.cpp"), entry("as_cuda.cpp", "nvcc -x cu -c as_cuda.cpp"),
            entry("gone.cu", "nvcc -c gone.cu")]))
        found = real_bench.sources_in(self.folder, 9)
        self.assertEqual([source.file.name for source in found], ["a.cu", "as_cuda.cpp", "b.cu", "c.cu"])
        self.assertEqual(found[2].arguments, ("-Iinc", "-O3", "-x", "cu"))
        self.assertEqual([source.file.name for source in real_bench.sources_in(self.folder, 2)], ["a.cu", "b.cu"])

    def test_a_list_of_sources_does_for_a_project_without_a_database(self):
        (self.folder / "x.cu").touch()
        (self.folder / "sources.txt").write_text("# of the attention kernels\nx.cu -I inc '-DNAME=a b'\n\n")
        [found] = real_bench.sources_in(self.folder, 9)
        self.assertEqual((found.file, found.arguments), (self.folder.resolve() / "x.cu", ("-I", "inc", "-DNAME=a b")))

    def test_all_tools_read_a_source_for_one_architecture_and_with_its_flags(self):
        flags = ["-I", "inc", "-DN=1", "-gencode", "arch=compute_80,code=sm_80", "--generate-code=arch=compute_90a,code=sm_90a",
                 "-O3", "-std=c++20", "--extended-lambda", "-Xptxas", "-v"]
        self.assertEqual(real_bench.one_architecture(flags), [
            "-I", "inc", "-DN=1", "-O3", "-std=c++20", "--extended-lambda", "-Xptxas", "-v", "-arch=sm_90a"])
        self.assertEqual(real_bench.for_clang(flags), ["-I", "inc", "-DN=1", "-std=c++20", "-D__CUDACC_EXTENDED_LAMBDA__"])

    def test_clang_is_told_of_the_toolkit_as_nvcc_tells_a_source(self):
        (self.folder / "include").mkdir()
        (self.folder / "include" / "cuda.h").write_text("#define CUDA_VERSION 12080\n")
        self.assertEqual(real_bench.as_nvcc(self.folder), [
            "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=8", "-D__CUDACC_VER_BUILD__=0"])

    def test_the_report_names_the_worst_sources_and_what_failed(self):
        a, b, c = (self.source(name) for name in ("a.cu", "b.cu", "c.cu"))
        text = real_bench.table({"Clang's parse": {a: self.taken(1, 2), b: self.taken(2, 2), c: self.taken(1)},
                                 "source only": {a: self.taken(4, 2, 700), b: self.taken(1, 1), c: self.taken(9, 9, 9000, True)}}, [a, b, c])
        self.assertIn("source only                  Clang's parse        2      2.250  1.667   4.00       0.750  0.750", text)
        self.assertIn("    4.00     4.00 s    1.00 s  p: a.cu\n    0.50     1.00 s    2.00 s  p: b.cu", text)
        self.assertIn("source only                         400        700  p: a.cu", text)
        self.assertIn("could not be run, and left out:\n  source only: p: c.cu", text)


if __name__ == "__main__":
    unittest.main()
