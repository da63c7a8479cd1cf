"""Never silent, never stuck: long kernels, limits of time and memory, damaged caches, stale results, pipes, servers that
do not answer.

stuck_test.py PATH-TO-WARPLINT
"""

import json
import os
import resource
import shutil
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


def dependent(statements):
    """Each address depends on all statements before."""
    lines = [f"  i = (i * 3 + {s}) ^ {s * 7}; out[i & 4095] = i;" for s in range(statements)]
    return ("__global__ void k(int *out) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            + "\n".join(lines) + "\n}\n")


MACRO_BOMB = ("#define A(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__\n"
              "#define B(...) A(A(A(A(__VA_ARGS__))))\nint numbers[] = {B(B(B(1)))};\n") + SMALL
TEMPLATE_BOMB = ("template <class T, T... I> struct Sequence { static constexpr int size = sizeof...(I); };\n"
                 "int size = __make_integer_seq<Sequence, int, 100000000>::size;\n") + SMALL


class NeverStuck(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name).resolve()
        (self.root / "tmp").mkdir()
        self.environment = dict(os.environ, WARPLINT_CACHE_DIR=str(self.root / "cache"), TMPDIR=str(self.root / "tmp"))

    def run_it(self, *words, seconds=600):
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

    def testTheTimeOfDependentStatementsGrowsWithTheirNumber(self):
        def timeOf(statements):
            self.write("long.cu", dependent(statements))
            taken, result = self.processorTime("check", "--no-judge", "--no-cache", "--format", "json", "long.cu")
            self.assertGreater(len(json.loads(result.stdout)["findings"]), statements / 2)
            return taken

        few, many = timeOf(500), timeOf(2000)
        self.assertLess(many, 8 * few)  # quadratic: 16

    def testLintingIsInsideTheTimeLimit(self):
        self.write("slow.cu", nested(40))
        self.write("small.cu", SMALL)
        self.run_it("accesses", "--timeout", "1", "slow.cu", "small.cu")
        self.assertEqual(self.run_it("accesses", "--summary", "small.cu").returncode, 0)
        self.run_it("accesses", "slow.cu", "small.cu")  # fills the cache with what was read
        begin = time.monotonic()
        result = self.run_it("check", "--no-judge", "--timeout", "1", "--format", "json", "slow.cu", "small.cu")
        self.assertLess(time.monotonic() - begin, 15)
        report = json.loads(result.stdout)
        self.assertIn("took longer than 1 second", json.dumps(report))
        self.assertEqual({Path(one["file"]).name for one in report["findings"]}, {"small.cu"})
        self.assertEqual(self.run_it("check", "--no-judge", "--timeout", "1", "slow.cu").returncode, 3)

    def testReadingAndLintingShareOneTimeLimit(self):
        self.write("long.cu", dependent(30_000))
        taken, result = self.processorTime("check", "--no-judge", "--timeout", "3", "long.cu")
        self.assertLess(taken, 6)
        self.assertRegex(result.stdout, "took longer than 3 seconds|linted in part")
        self.assertNotIn("no findings in 1 kernel of 1 source\n", result.stdout)

    def testWhatIsCutOffIsNotCalledClean(self):
        self.write("slow.cu", nested(40))
        self.write("small.cu", SMALL)
        self.run_it("accesses", "slow.cu", "small.cu")  # fills the cache with what was read
        alone = self.run_it("check", "--no-judge", "--timeout", "1", "slow.cu")
        self.assertIn("no source could be linted", alone.stdout)
        for words in ([], ["--format", "markdown"], ["--format", "github"], ["--statistics"]):
            with self.subTest(words=words):
                both = self.run_it("check", "--no-judge", "--timeout", "1", *words, "slow.cu", "small.cu")
                self.assertIn(", 1 source not linted", both.stdout)
        report = json.loads(self.run_it("check", "--no-judge", "--timeout", "1", "--format", "json", "slow.cu",
                                        "small.cu").stdout)
        self.assertEqual(report["summary"]["kernels"], 1)
        self.assertEqual(len(report["unread"]), 1)
        for words in (["accesses"], ["accesses", "--summary"]):
            with self.subTest(words=words):
                listed = self.run_it(*words, "--timeout", "1", "slow.cu")
                self.assertIn("took longer than 1 second", listed.stderr)
                self.assertEqual(listed.returncode, 3)

    def testAKernelThatIsNotFollowedIsLintedInPart(self):
        self.write("deep.cu", "__device__ int f(int n) { return n < 2 ? n : f(n - 1) * f(n - 2); }\n"
                   "__global__ void k(int *out) { out[threadIdx.x] = f(out[threadIdx.x]); }\n")
        result = self.run_it("check", "--no-judge", "deep.cu")
        self.assertTrue(result.stdout.startswith("no findings in 1 kernel of 1 source, 1 kernel linted in part\n"),
                        result.stdout)
        report = json.loads(self.run_it("check", "--no-judge", "--format", "json", "deep.cu").stdout)
        self.assertEqual(report["summary"]["kernelsInPart"], 1)

    def compiler(self, text):
        """A compiler that takes no time."""
        path = self.root / "nvcc"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def testWrapDelaysABuildByItsLimitAtMost(self):
        self.write("slow.cu", nested(40))
        begin = time.monotonic()
        result = self.run_it("wrap", "--timeout", "2", "--", self.compiler("touch slow.o"), "-c", "slow.cu", "-o", "slow.o")
        self.assertLess(time.monotonic() - begin, 6)
        self.assertEqual(result.returncode, 0)
        self.assertIn("slow.cu is not linted: it took longer than 2 seconds", result.stderr)

    def testMemoryIsLimited(self):
        for name, bomb in (("macros.cu", MACRO_BOMB), ("templates.cu", TEMPLATE_BOMB)):
            with self.subTest(name=name):
                self.write(name, bomb)
                result = self.run_it("check", "--no-judge", "--no-cache", "--memory", "400M", "--timeout", "60", name)
                self.assertIn("took more than 400 MiB of memory and was ended", result.stdout)
                self.assertEqual(result.returncode, 3)

    def testMemoryIsLimitedInAnEditor(self):
        self.write("macros.cu", MACRO_BOMB)
        uri = f"file://{self.root}/macros.cu"
        document = {"uri": uri, "languageId": "cuda-cpp", "version": 1, "text": MACRO_BOMB}
        server = subprocess.Popen([WARPLINT, "lsp", "--no-judge", "--memory", "400M"], cwd=self.root,
                                  env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        for message in ({"id": 1, "method": "initialize", "params": {"rootUri": f"file://{self.root}", "capabilities": {}}},
                        {"method": "initialized", "params": {}},
                        {"method": "textDocument/didOpen", "params": {"textDocument": document}}):
            data = json.dumps({"jsonrpc": "2.0", **message}).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        server.stdin.flush()
        while b"publishDiagnostics" not in (text := self.message(server.stdout)):
            pass
        server.stdin.close()
        self.assertIn(b"took more than 400 MiB of memory", text)

    def message(self, stream):
        length = 0
        while line := stream.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        self.assertTrue(length, "the server has ended")
        return stream.read(length)

    @unittest.skipUnless(shutil.which("nvcc"), "NO NVCC HERE, so its limits are not tried")
    def testMemoryIsLimitedForNvcc(self):
        # Clang sees nothing of it.
        self.write("macros.cu", "#ifndef __clang__\n" + MACRO_BOMB.replace(SMALL, "#endif\n" + SMALL))
        result = self.run_it("check", "--memory", "400M", "--timeout", "60", "macros.cu")
        self.assertIn("nvcc took more than 400 MiB of memory and was ended", result.stdout)

    @unittest.skipUnless(shutil.which("nvcc"), "NO NVCC HERE, so its pipes are not tried")
    def testNvccWaitsForNoPipe(self):
        os.mkfifo(self.root / "pipe.h")
        self.write("a.cu", '#ifndef __clang__\n#include "pipe.h"\n#endif\n' + SMALL)
        begin = time.monotonic()
        result = self.run_it("check", "--timeout", "60", "a.cu")
        self.assertLess(time.monotonic() - begin, 30)
        self.assertIn("which is no regular file", result.stdout)

    @unittest.skipUnless(shutil.which("nvcc"), "NO NVCC HERE, so what it depends on is not tried")
    def testWhatNvccAloneDependsOnIsNotStale(self):
        # gcc reads what Clang does not: the strided store is there or not.
        self.write("a.cu", "#if !defined(__clang__) && __has_include(\"extra.h\")\n#include \"extra.h\"\n#endif\n"
                   "#ifndef STRIDE\n#define STRIDE 32\n#endif\n"
                   "__global__ void k(float *a, const float *b) { a[threadIdx.x] = b[threadIdx.x * STRIDE]; }\n")
        host = self.root / "host-gcc"

        def write(flags):
            host.write_text(f"#!/bin/sh\nexec g++ {flags} \"$@\"\n")
            host.chmod(0o755)

        def verdicts():
            time.sleep(1.1)  # a file of this second may change again
            report = json.loads(self.run_it("check", "--refuted", "--format", "json", "a.cu", "--", "-arch=sm_90",
                                            f"-ccbin={host}").stdout)
            return [finding["verdict"] for finding in report["findings"]]

        write("")
        self.assertEqual(verdicts(), ["confirmed"])
        self.write("extra.h", "#define STRIDE 1\n")
        self.assertEqual(verdicts(), ["refuted"])
        (self.root / "extra.h").unlink()
        self.assertEqual(verdicts(), ["confirmed"])
        write("-DSTRIDE=1")
        self.assertEqual(verdicts(), ["refuted"])

    def testADamagedPrecompiledHeaderIsNotUsed(self):
        self.write("a.cu", SMALL)
        clean = self.run_it("check", "--no-judge", "--no-cache", "a.cu").stdout
        for turn in ("first", "second"):  # only the second one has use for it
            self.write("a.cu", SMALL + f"// {turn}\n")
            self.run_it("check", "--no-judge", "a.cu")
        headers = [file for file in (self.root / "cache").iterdir() if file.read_bytes()[:4] == b"CPCH"]
        self.assertEqual(len(headers), 1)
        size = headers[0].stat().st_size
        for place in range(3):
            with headers[0].open("r+b") as file:
                file.seek(size * place // 3 + 5)
                bytes_ = file.read(64)
                file.seek(size * place // 3 + 5)
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
        self.assertEqual(result.stdout.count("[strided-global-access]"), 12)
        self.assertLess(taken, 25)


if __name__ == "__main__":
    unittest.main()
