"""The wheel: what `pip install warplint` brings.

wheel_test.py BUILD-FOLDER
"""

import json
import os
import re
import runpy
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from installed import BUILD, ROOT, STRIDED, WHEELS, InTemporaryFolder, expect, install, offline, run, skip, virtual_environment, \
    without_llvm


def setUpModule():
    global prefix, scratch
    scratch = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(scratch.cleanup)
    prefix = Path(scratch.name).resolve() / "environment"
    install(prefix, "warplint")


class Wheel(InTemporaryFolder):
    # pip takes a larger one from the registry as well, but not everybody's patience.
    def test_a_download_is_small(self):
        wheel, = WHEELS.glob("*.whl")
        self.assertLess(wheel.stat().st_size, 40e6)

    # With two, `pip install dist/warplint-*.whl` ends with an error, and so would these tests after a release.
    def test_its_folder_holds_one_wheel(self):
        self.write("dist/warplint-0.0.9-py3-none-manylinux_2_28_x86_64.whl", "")
        other = self.write("dist/other-0.0.9-py3-none-any.whl", "")
        runpy.run_path(str(ROOT / "packaging" / "wheel"))["remove_wheels"](other.parent)
        self.assertEqual(list(other.parent.iterdir()), [other])

    # A tag that promises too much is found by users of old clusters alone.
    def test_auditwheel_confirms_the_tag(self):
        wheel, = WHEELS.glob("*.whl")
        auditwheel = shutil.which("auditwheel")
        if not auditwheel:
            # Kept, so that only the first run downloads it.
            tools = BUILD / "auditwheel"
            auditwheel = tools / "bin/auditwheel"
            if not auditwheel.exists():
                run(sys.executable, "-m", "venv", "--clear", tools)
                run(tools / "bin/pip", "install", "--quiet", "auditwheel", timeout=60)
            if not auditwheel.exists():
                self.skipTest("NO AUDITWHEEL: nobody compared the wheel's tag with its contents")
        said = " ".join(expect(run(auditwheel, "show", wheel)).stdout.split())
        tag = re.search(r'consistent with the following platform tag: "manylinux_2_(\d+)_x86_64"', said)
        self.assertTrue(tag, said)
        self.assertLessEqual(int(tag[1]), 28, said)

    # A figure that only the build tree's program gives was tested in vain.
    def test_it_reports_what_the_build_trees_program_reports(self):
        sources = [ROOT / "kernels" / name for name in ("exercise3.cu", "register-spill.cu")]
        environment = dict(os.environ, WARPLINT_CACHE_DIR=str(self.folder / "cache"))

        def report(*program):
            return json.loads(expect(run(*program, "check", "--all", "--refuted", "--format", "json", *sources,
                                         env=environment), code=1).stdout)

        self.assertEqual(report(*without_llvm(), prefix / "bin/warplint"), report(BUILD / "warplint"))

    def expect_findings(self, program):
        source = self.write("a.cu", STRIDED)
        found = run(*without_llvm(), program, "check", "--no-judge", "--no-cache", source, env={"PATH": "/usr/bin:/bin"})
        self.assertIn("[strided-global-access]", expect(found, code=1).stdout)

    # pipx, uv and people link programs into a folder of PATH.
    def test_it_finds_its_files_through_a_link(self):
        link = self.folder / "warplint"
        link.symlink_to(prefix / "bin/warplint")
        self.expect_findings(link)

    # pip leaves out a wheel's lib/ there.
    def test_it_finds_its_files_in_a_folder_of_its_own(self):
        expect(run(prefix / "bin/pip", "install", "--quiet", "--target", self.folder / "own", "warplint", env=offline()))
        self.expect_findings(self.folder / "own/bin/warplint")

    # A header of Clang's that includes one which was left out fails only where it is used.
    def test_the_headers_are_complete(self):
        kept = prefix / "share/warplint/clang/include"
        ours = {path.relative_to(kept).as_posix() for path in kept.rglob("*.h")}
        clang, = Path("/usr/lib/llvm-22/lib/clang").glob("*/include")
        theirs = {path.relative_to(clang).as_posix() for path in clang.rglob("*.h")}
        self.assertLess(len(ours), len(theirs))
        for name in sorted(ours):
            for included in re.findall(r'^#\s*include\s*[<"]([^>"]+)', (kept / name).read_text(), re.MULTILINE):
                if included in theirs:
                    self.assertIn(included, ours, f"included by {name}")

    # glibc 2.28 starts no process in another folder; nvcc would read other files there, or none.
    def test_nvcc_runs_in_its_commands_folder_on_the_oldest_system(self):
        if not shutil.which("nvcc") or not shutil.which("cc"):
            self.skipTest("NO NVCC or no C compiler: judging as on glibc 2.28 is not tested")
        self.write("include/stride.h", "constexpr int stride = 32;\n")
        self.write("a.cu", '#include "stride.h"\n' + STRIDED.replace("32", "stride"))
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.folder), "file": "a.cu", "command": "nvcc -Iinclude -c a.cu -o a.o"}]))
        older = self.write("older.c", "#include <errno.h>\n#include <spawn.h>\nint posix_spawn_file_actions_addchdir_np("
                           "posix_spawn_file_actions_t *a, const char *b) { return ENOSYS; }\n")
        expect(run("cc", "-shared", "-fPIC", "-w", "-o", self.folder / "older.so", older))
        for program in (prefix / "bin/warplint", BUILD / "warplint"):
            done = run(program, "check", "--no-cache", "-p", self.folder, cwd="/",
                       env=dict(os.environ, LD_PRELOAD=str(self.folder / "older.so")))
            self.assertIn("32 sectors where 4 would do: confirmed", expect(done, code=1).stdout)

    def test_the_manual_page_comes_along(self):
        self.assertIn("warplint", (prefix / "share/man/man1/warplint.1").read_text())
        self.assertIn("_warplint", (prefix / "share/bash-completion/completions/warplint").read_text())

    def test_ccaches_prefix_works(self):
        done = expect(run(prefix / "bin/warplint-wrap", "echo", "compiled"))
        self.assertEqual(done.stdout, "compiled\n")

    def test_licences_come_along(self):
        licences, = prefix.glob("lib/python*/site-packages/warplint-*.dist-info/licenses")
        names = {path.name for path in licences.iterdir()}
        self.assertLessEqual({"LICENSE", "NOTICE", "GPL-3", "zlib1g-dev"}, names)

    def test_nothing_stays_when_it_is_removed(self):
        removed = self.folder / "environment"
        virtual_environment(removed, "--without-pip")
        pip = [prefix / "bin/pip", "--python", removed / "bin/python"]
        expect(run(*pip, "install", "--quiet", "warplint", env=offline()))
        self.assertTrue((removed / "bin/warplint").exists())
        expect(run(*pip, "uninstall", "--quiet", "--yes", "warplint"))
        self.assertEqual([str(path) for path in removed.rglob("*warplint*") if not path.is_dir()], [])


if __name__ == "__main__":
    if not list(WHEELS.glob("*.whl")):
        skip(f"no wheel in {WHEELS}, so nobody installed it")
    unittest.main()
