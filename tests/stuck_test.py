"""Never silent, never stuck: long kernels, time limits, damaged caches, pipes, servers that do not answer.

stuck_test.py PATH-TO-WARPLINT
"""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

WARPLINT = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "warplint"

SMALL = "__global__ void k(float *a, const float *b) { a[threadIdx.x] = b[threadIdx.x * 32]; }\n"


def straight(statements):
    """Each thread writes a row of its own: all statements share sectors with others."""
    lines = [f"  out[i * 8192 + {s}] = in[i * 8192 + {s}] + {s}.0f;" for s in range(statements)]
    return ("__global__ void k(float *out, const float *in) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" + "\n".join(lines) + "\n}\n")


def nested(kernels):
    """Loops in loops, whose iterations are evaluated one by one."""
    return "".join(
        f"__global__ void k{k}(float *out, const float *in, int n) {{\n"
        "  int j = threadIdx.x;\n"
        "  for (int a = 0; a < 40; ++a)\n    for (int b = 0; b < 40; ++b)\n      for (int c = 0; c < 40; ++c) {\n"
        "        j = (j * 5 + a) ^ (b * 7 + c);\n"
        "        if (j % 3) j += b;\n"
        f"        out[j & 1023] += in[(j + {k}) & 4095];\n      }}\n}}\n"
        for k in range(kernels))


class NeverStuck(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name).resolve()
        (self.root / "tmp").mkdir()
        self.environment = dict(os.environ, WARPLINT_CACHE_DIR=str(self.root / "cache"), TMPDIR=str(self.root / "tmp"))

    def run_it(self, *words, seconds=120):
        return subprocess.run([WARPLINT, *words], cwd=self.root, env=self.environment, capture_output=True, text=True,
                              timeout=seconds)

    def write(self, name, text):
        (self.root / name).write_text(text)
        return name

    def processorTime(self, *words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        result = self.run_it(*words)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, result

    def testTheTimeOfALongKernelGrowsWithItsLength(self):
        def timeOf(statements):
            self.write("long.cu", straight(statements))
            taken, result = self.processorTime("check", "--no-judge", "--no-cache", "--format", "json", "long.cu")
            self.assertEqual(len(json.loads(result.stdout)["findings"]), 2 * statements)
            return taken

        few, many = timeOf(500), timeOf(2000)
        self.assertLess(many, 8 * few)  # quadratic: 16

    def testLintingIsInsideTheTimeLimit(self):
        self.write("slow.cu", nested(120))
        self.write("small.cu", SMALL)
        self.run_it("accesses", "--timeout", "1", "slow.cu", "small.cu")
        self.assertEqual(self.run_it("accesses", "--summary", "small.cu").returncode, 0)
        self.run_it("resources", "slow.cu", "small.cu")  # fills the cache with what was read
        begin = time.monotonic()
        result = self.run_it("check", "--no-judge", "--timeout", "1", "--format", "json", "slow.cu", "small.cu")
        self.assertLess(time.monotonic() - begin, 15)
        report = json.loads(result.stdout)
        self.assertIn("took longer than 1 seconds", json.dumps(report))
        self.assertEqual({Path(one["file"]).name for one in report["findings"]}, {"small.cu"})
        self.assertEqual(self.run_it("check", "--no-judge", "--timeout", "1", "slow.cu").returncode, 3)

    def testADamagedPrecompiledHeaderIsNotUsed(self):
        self.write("a.cu", SMALL)
        clean = self.run_it("check", "--no-judge", "--no-cache", "a.cu").stdout
        self.run_it("check", "--no-judge", "a.cu")
        headers = [file for file in (self.root / "cache").iterdir() if file.read_bytes()[:4] == b"CPCH"]
        self.assertEqual(len(headers), 1)
        size = headers[0].stat().st_size
        for place in range(20):
            with headers[0].open("r+b") as file:
                file.seek(size * place // 20 + 5)
                bytes_ = file.read(64)
                file.seek(size * place // 20 + 5)
                file.write(bytes(byte ^ 0x5a for byte in bytes_))
            self.write("a.cu", SMALL + f"// {place}\n")
            result = self.run_it("check", "--no-judge", "a.cu")
            self.assertEqual(result.stdout, clean)
            self.assertEqual(headers[0].stat().st_size, size)

    def testTheFolderOfAKilledRunIsSwept(self):
        for name in ("bin", "lib"):
            (self.root / "cuda" / name).mkdir(parents=True)
        temporary = self.root / "tmp"
        other = temporary / "warplint-not-ours"
        other.mkdir()
        # A compiler that never ends.
        nvcc = self.root / "nvcc"
        nvcc.write_text("#!/bin/sh\necho nvcc\nexec sleep 100\n")
        nvcc.chmod(0o755)
        environment = dict(self.environment, PATH=f"{self.root}:{os.environ['PATH']}")
        self.write("a.cu", SMALL)

        def start():
            run = subprocess.Popen([WARPLINT, "check", "--no-cache", "a.cu"], cwd=self.root, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(run.wait)
            self.addCleanup(run.kill)
            return run

        def folders():
            return {path for path in temporary.iterdir() if path != other}

        def waitFor(number):
            end = time.monotonic() + 60
            while len(folders()) < number and time.monotonic() < end:
                time.sleep(0.05)
            return folders()

        killed = start()
        left = waitFor(1)
        self.assertTrue(left)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        self.assertEqual(folders() & left, left)
        living = start()
        end = time.monotonic() + 60
        while (folders() & left or not folders()) and time.monotonic() < end:
            time.sleep(0.05)
        its = folders()
        self.assertFalse(its & left)
        self.assertTrue(its)
        # A third run leaves those of a living one alone.
        third = start()
        now = waitFor(len(its) + 1)
        self.assertTrue(its <= now)
        self.assertTrue(other.exists())

    def testAPipeIsNoFile(self):
        os.mkfifo(self.root / "pipe.cu")
        os.mkfifo(self.root / "pipe.h")
        os.mkfifo(self.root / "pipe.yaml")
        os.mkfifo(self.root / "pipe.rsp")
        self.write("a.cu", '#include "pipe.h"\n' + SMALL)
        self.write("b.cu", SMALL)
        for words in (["pipe.cu"], ["a.cu"], ["b.cu", "--config", "pipe.yaml"],
                      ["b.cu", "--", "--options-file", "pipe.rsp"], ["/dev/zero"],
                      ["b.cu", "--", "-include", "/dev/zero"], ["b.cu", "--baseline=pipe.yaml"]):
            with self.subTest(words=words):
                result = self.run_it("check", "--no-judge", *words)
                self.assertRegex(result.stdout + result.stderr, "is no regular file|is neither a file nor a folder")
                self.assertIn(result.returncode, (1, 2, 3))

    def testAMuteServerCostsOneTimeLimit(self):
        with socket.socket() as mute:
            mute.bind(("127.0.0.1", 0))
            mute.listen(64)
            for i in range(12):
                self.write(f"{i}.cu", SMALL + f"// {i}\n")
            begin = time.monotonic()
            result = self.run_it("check", "--no-judge", "-j", "2", "--remote-cache",
                                 f"http://127.0.0.1:{mute.getsockname()[1]}", ".")
            taken = time.monotonic() - begin
        self.assertEqual(result.stderr.count("the remote cache is not used"), 1)
        self.assertEqual(result.stdout.count("strided-global-access"), 12)
        self.assertLess(taken, 25)


if __name__ == "__main__":
    unittest.main()
