"""`--format sarif`, held by a JSON-schema validator to what SARIF 2.1.0 demands.

sarif_test.py PATH-TO-WARPLINT; exits with 77, which is "skipped", without python3-jsonschema.

The published schema is not ours to ship: WARPLINT_SARIF_SCHEMA may name a copy of it (sarif-schema-2.1.0.json of
OASIS), and then the report is held to that as well. What is always there is sarif.schema.json, our own: the parts of
the standard that warplint writes, and nothing else allowed.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("SKIPPED: no JSON-schema validator here, so nobody looked at the SARIF report; scripts/test installs "
          "python3-jsonschema", file=sys.stderr)
    sys.exit(77)

WARPLINT = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "warplint"
OURS = Path(__file__).with_name("sarif.schema.json")

SOURCE = """
#include "inlined.cuh"
__global__ void k(float *a, float *b) { columns(a); b[threadIdx.x * 64] = 1; }
void run(float *a) { k<<<1, 32>>>(a, a); }
"""
INLINED = "__device__ inline void columns(float *a) { a[threadIdx.x * 32] = 1; }\n"


def schemas():
    paths = [OURS]
    if "WARPLINT_SARIF_SCHEMA" in os.environ:
        paths.append(Path(os.environ["WARPLINT_SARIF_SCHEMA"]))
    return [json.loads(path.read_text()) for path in paths]


def complaints(log):
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
            for schema in schemas() for error in jsonschema.Draft4Validator(schema).iter_errors(log)]


class Sarif(unittest.TestCase):
    def check(self, *options, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (Path(folder) / name.replace("_", ".")).write_text(text)
            done = subprocess.run([WARPLINT, "check", "--format", "sarif", *options, "."], cwd=folder,
                                  capture_output=True, text=True)
        log = json.loads(done.stdout)
        self.assertEqual(complaints(log), [])
        return log["runs"][0]

    def test_findings_are_valid(self):
        run = self.check(a_cu=SOURCE, inlined_cuh=INLINED)
        self.assertGreaterEqual(len(run["results"]), 2)
        inlined = next(each for each in run["results"] if "codeFlows" in each)
        self.assertEqual(inlined["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "inlined.cuh")
        self.assertEqual(inlined["relatedLocations"][0]["message"]["text"], "in kernel 'k'")

    def test_all_checks_opinions_and_refuted_findings_are_valid(self):
        self.check("--all", "--refuted", a_cu=SOURCE, inlined_cuh=INLINED)

    def test_a_clean_run_and_an_unreadable_source_are_valid(self):
        self.assertEqual(self.check(a_cu="__global__ void k(float *a) { *a = 1; }\n")["results"], [])
        broken = self.check(a_cu="__global__ void k(floaty *a) { *a = 1; }\n")
        self.assertEqual(broken["invocations"][0]["exitCode"], 3)

    # Lines move, and a service must know its findings again.
    def test_fingerprints_survive_moved_lines(self):
        def prints(source):
            return [each["partialFingerprints"] for each in self.check(a_cu=source, inlined_cuh=INLINED)["results"]]
        before = prints(SOURCE)
        self.assertEqual(prints("// new\n\n" + SOURCE), before)
        self.assertEqual(len({json.dumps(each) for each in before}), len(before))

    def test_our_schema_rejects_invalid_reports(self):
        run = {"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "m"}, "level": "loud"}]}
        self.assertEqual(len(complaints({"version": "2.1.0", "runs": [run]})), 1 * len(schemas()))


if __name__ == "__main__":
    unittest.main()
