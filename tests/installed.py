"""The wheel that the test 'wheel_build' wrote, installed as users install it."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else ROOT / "build"
WHEELS = BUILD / "dist"

STRIDED = "__global__ void k(float *x) { x[threadIdx.x * 32] = 1; }\n"
CLEAN = "__global__ void k(float *x) { x[threadIdx.x] = 1; }\n"


def skip(reason):
    """Ends the whole test as skipped, for ctest and for its reader."""
    print(f"SKIPPED: {reason}", file=sys.stderr)
    sys.exit(77)


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          **options)


def expect(done, code=0):
    """The finished command, if it ended with `code`."""
    if done.returncode != code:
        raise AssertionError(f"{done.args} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def offline():
    """pip finds the wheel just built, and installs no other."""
    return dict(os.environ, PIP_FIND_LINKS=str(WHEELS), PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1",
                PIP_NO_COMPILE="1")


def virtual_environment(folder, *options):
    done = run(sys.executable, "-m", "venv", *options, folder)
    if done.returncode != 0:
        skip(f"no virtual environment can be made, so nobody installed the wheel: {done.stdout}{done.stderr}")


def install(folder, *requirements):
    virtual_environment(folder)
    expect(run(folder / "bin" / "pip", "install", "--quiet", *requirements, env=offline()))


def without_llvm():
    """The words before a command that must not find the LLVM that warplint was built with."""
    namespace = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    hide = [*namespace, "sh", "-c", 'mount -t tmpfs none /usr/lib/llvm-22 && exec "$@"', "sh"]
    if run(*hide, "true").returncode != 0:
        print("NO MOUNT NAMESPACES: LLVM stays visible to the installed program", file=sys.stderr)
        return []
    return hide


class InTemporaryFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name).resolve()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path
