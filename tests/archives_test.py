"""What `cpack` and `cmake --install` write runs from wherever it lies, without LLVM and the build tree.

archives_test.py BUILD-FOLDER
"""

import re
import shutil
import tarfile
import tempfile
import unittest
from pathlib import Path

from installed import BUILD, ROOT, STRIDED, InTemporaryFolder, expect, run, without_llvm


def setUpModule():
    global packages, prefix
    scratch = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(scratch.cleanup)
    packages, prefix = Path(scratch.name).resolve() / "packages", Path(scratch.name).resolve() / "prefix"
    expect(run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", packages))
    expect(run("cmake", "--install", BUILD, "--prefix", prefix))


class Archives(InTemporaryFolder):
    def expect_findings(self, program):
        source = self.write("a.cu", STRIDED)
        found = run(*without_llvm(), program, "check", "--no-judge", "--no-cache", source, env={"PATH": "/usr/bin:/bin"})
        self.assertIn("[strided-global-access]", expect(found, code=1).stdout)

    def test_the_archive_runs_where_it_is_unpacked(self):
        archive, = packages.glob("*.tar.gz")
        with tarfile.open(archive) as contents:
            contents.extractall(self.folder)
        program, = self.folder.glob("warplint-*/bin/warplint")
        self.expect_findings(program)

    def test_the_package_holds_a_program_that_runs(self):
        if not shutil.which("dpkg-deb"):
            self.skipTest("NO DPKG: the Debian package is not tested")
        package, = packages.glob("*.deb")
        expect(run("dpkg-deb", "--extract", package, self.folder))
        self.expect_findings(self.folder / "usr/bin/warplint")
        self.expect_pages(self.folder / "usr/share")
        fields = expect(run("dpkg-deb", "--field", package)).stdout
        self.assertIn("Package: warplint\n", fields)
        self.assertIn("Depends: libc6 (>= 2.28)\n", fields)

    def test_an_installation_runs_without_the_build_tree(self):
        self.expect_findings(prefix / "bin/warplint")
        self.expect_pages(prefix / "share")

    # Nobody finds an option that neither `man` nor the shell names.
    def expect_pages(self, share):
        for name in ("man/man1/warplint.1", "bash-completion/completions/warplint", "zsh/site-functions/_warplint",
                     "fish/vendor_completions.d/warplint.fish"):
            self.assertIn("max", (share / name).read_text(), name)

    # A project that asks for a release must get it, and no older one.
    def test_projects_find_the_release_that_they_ask_for(self):
        def configure(version):
            self.write("project/CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(consumer LANGUAGES NONE)\n"
                       f"find_package(warplint {version} REQUIRED)\nmessage(STATUS \"runs ${{WARPLINT_EXECUTABLE}}\")\n"
                       "if(NOT COMMAND warplint_enable)\n  message(FATAL_ERROR \"no warplint_enable\")\nendif()\n")
            return run("cmake", "-S", self.folder / "project", "-B", self.folder / f"build-{version}",
                       f"-DCMAKE_PREFIX_PATH={prefix}")

        release = re.search(r"warplint VERSION (\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertIn(f"runs {prefix}/bin/warplint", expect(configure(release)).stdout)
        self.assertNotEqual(configure("99.0").returncode, 0)


if __name__ == "__main__":
    unittest.main()
