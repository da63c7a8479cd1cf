"""The page of `--format html`, opened as its reader opens it: in a browser, from a file.

page_test.py PATH-TO-WARPLINT; exits with 77, which is "skipped", where there is no Chromium.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import browser

WARPLINT = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else "warplint"

# A file name and a kernel that would be markup if anybody took them for it.
HOSTILE = "<img src=x onerror=alert(1)>'&amp;.cu"
SOURCE = """
template <int N> __global__ void columns(float *a) {
  a[threadIdx.x * N] = 1; // <script>alert(2)</script>
}
__global__ void conflict(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][1];
}
__global__ void clean(float *a) { a[threadIdx.x] = 0; }
void run(float *a) {
  columns<64><<<4096, 32>>>(a);
  conflict<<<4096, 32>>>(a);
  clean<<<4096, 32>>>(a);
}
"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        root = Path(cls.folder.name)
        (root / HOSTILE).write_text(SOURCE)
        (root / "other.cu").write_text(SOURCE.replace("columns", "rows"))
        cls.page = root / "report.html"
        done = subprocess.run([WARPLINT, "check", "--min-share", "1", "--format", "html", "--sort", "place", "-o", cls.page, root / HOSTILE, root / "other.cu"],
                              cwd=root, capture_output=True, text=True)
        assert done.returncode == 1, done.stderr
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, fragment="", **options):
        self.browser.open(self.page, fragment, **options)

    def tearDown(self):
        # After every test: no console message and no network request.
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual([url for url in self.browser.requests() if not url.startswith(self.page.as_uri())], [])

    def evaluate(self, expression):
        return self.browser.evaluate(expression)

    def findings(self):
        return self.evaluate("document.querySelectorAll('.finding').length")

    def test_every_finding_is_listed_with_its_line(self):
        self.open()
        self.assertGreaterEqual(self.findings(), 4)
        self.assertIn("a[threadIdx.x * N] = 1;", self.evaluate("document.querySelector('.one-line').textContent"))

    def test_source_names_are_escaped(self):
        self.open()
        self.assertEqual(self.evaluate("document.querySelectorAll('main img, main script').length"), 0)
        self.assertIn(HOSTILE, self.evaluate("document.querySelector('main').textContent"))

    def test_search_shows_matches_and_escape_shows_all(self):
        self.open()
        every = self.findings()
        self.browser.press("/")
        self.browser.type("other.cu bank")
        found = self.findings()
        self.assertTrue(0 < found < every, found)
        self.assertIn(f"{found} of {every}", self.evaluate("document.getElementById('count').textContent"))
        self.browser.press("Escape")
        self.assertEqual(self.findings(), every)

    def test_a_search_without_a_match_says_so(self):
        self.open()
        self.browser.press("/")
        self.browser.type("zzz")
        self.assertEqual(self.findings(), 0)
        self.assertIn("Nothing found", self.evaluate("document.getElementById('groups').textContent"))

    def test_the_keyboard_moves_through_the_findings(self):
        self.open()
        focused = "[...document.querySelectorAll('.finding')].findIndex(each => each.contains(document.activeElement))"
        for key, expected in (("j", 0), ("j", 1), ("k", 0), ("k", 0)):
            self.browser.press(key)
            self.assertEqual(self.evaluate(focused), expected)
        self.browser.press("Enter")
        self.assertTrue(self.evaluate("document.querySelector('.finding').open"))
        self.assertIn("of 'a[threadIdx.x * N]'", self.evaluate("document.querySelector('.finding').textContent"))
        self.browser.press("Enter")
        self.assertFalse(self.evaluate("document.querySelector('.finding').open"))

    def test_all_unfold_and_fold(self):
        self.open()
        self.browser.press("e")
        self.assertEqual(self.evaluate("document.querySelectorAll('.finding:not([open])').length"), 0)
        self.browser.press("e")
        self.assertEqual(self.evaluate("document.querySelectorAll('.finding[open]').length"), 0)

    def test_tab_reaches_the_search(self):
        self.open()
        self.browser.press("Tab")  # the link that skips the tools
        self.browser.press("Tab")
        self.assertEqual(self.evaluate("document.activeElement.id"), "search")

    def test_a_link_opens_its_finding(self):
        self.open()
        wanted = self.evaluate("document.querySelectorAll('.finding')[2].id")
        self.open("#" + wanted)
        self.assertTrue(self.evaluate(f"document.getElementById('{wanted}').open"))
        self.assertTrue(self.evaluate(f"document.getElementById('{wanted}').textContent.includes('In its source')"))

    def test_a_link_to_a_removed_finding_says_so(self):
        self.open("#f-0123456789abcdef")
        self.assertFalse(self.evaluate("document.getElementById('gone').hidden"))

    def test_a_link_to_a_line_opens_its_source(self):
        self.open("#" + self.evaluate("encodeURIComponent('L:other.cu:7')"))
        self.assertTrue(self.evaluate("document.getElementById('L:other.cu:7').classList.contains('target')"))
        # Beside it: 32 ways, and what they are when asked.
        chip = "document.getElementById('L:other.cu:7').querySelector('button')"
        self.assertEqual(self.evaluate(chip + ".textContent"), "32\u00d7")
        self.evaluate(chip + ".click()")
        self.assertIn("32-way conflict", self.evaluate("document.querySelector('.source .detail:not([hidden])').textContent"))

    def test_the_kernels_come_first_with_their_cost_and_the_dearest_finding_next(self):
        self.open()
        heads = self.evaluate("[...document.querySelectorAll('#resources th')].map(each => each.textContent).join()")
        self.assertTrue(heads.startswith("kernel,arch,predicted cycles,bound by,explained by findings"), heads)
        shares = self.evaluate("[...document.querySelectorAll('.finding .share')].map(each => parseInt(each.textContent))")
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertGreater(shares[0], 0)

    def test_grouping_by_kernel_and_check_keeps_every_finding(self):
        self.open()
        every = self.findings()
        for by in ("kernel", "check", "file", "cost"):
            self.evaluate(f"document.getElementById('group').value = '{by}';"
                          "document.getElementById('group').dispatchEvent(new Event('change'))")
            self.assertEqual(self.findings(), every)

    def test_a_filter_hides_and_shows_a_verdict(self):
        self.open()
        every = self.findings()
        self.evaluate("document.querySelector('#filters button').click()")
        self.assertLess(self.findings(), every)
        self.evaluate("document.querySelector('#filters button').click()")
        self.assertEqual(self.findings(), every)

    def test_nothing_is_wider_than_a_phone(self):
        self.open(width=380, height=800)
        self.browser.press("e")
        self.assertLessEqual(self.evaluate("document.documentElement.scrollWidth"), 380)

    def test_the_dark_scheme_is_dark(self):
        for dark, expected in ((False, "light"), (True, "dark")):
            self.open(dark=dark)
            background = self.evaluate("getComputedStyle(document.body).backgroundColor")
            brightness = sum(int(part) for part in background[4:-1].split(","))
            self.assertEqual("dark" if brightness < 3 * 128 else "light", expected)


if __name__ == "__main__":
    if not browser.PROGRAM:
        print("SKIPPED: no Chromium here, so nobody opened the page; scripts/test installs it", file=sys.stderr)
        sys.exit(77)
    unittest.main()
