#include "program.h"
#include "suppressed.h"

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class Suppress : public SuppressRun {};

std::vector<Allowance> allowancesIn(llvm::StringRef text) {
  return readAllowances("a.cu", SourceText(text));
}

} // namespace

// ---- what a comment means

TEST_F(Suppress, ACommentAfterCodeCoversItsLine) {
  Suppressed result = lint("__global__ void k() {\n"
                           "  x; // warplint: allow(" +
                               strided +
                               ") read once\n"
                               "  y;\n",
                           {2, 3});
  EXPECT_EQ(result.hidden, 1u);
  EXPECT_THAT(left(result), ElementsAre(3)); // the next line has its own code
  EXPECT_THAT(useless(result), IsEmpty());
}

TEST_F(Suppress, ACommentAboveCoversTheStatement) {
  Suppressed result = lint("__global__ void k() {\n"
                           "  // warplint: allow(" +
                               strided +
                               ") read once,\n"
                               "  // as the paper says\n"
                               "\n"
                               "#pragma unroll\n"
                               "  a = b[i\n"
                               "        + j];\n"
                               "  y;\n",
                           {6, 7, 8});
  EXPECT_EQ(result.hidden, 2u);
  EXPECT_THAT(left(result), ElementsAre(8));
}

TEST_F(Suppress, BlockCommentsCount) {
  EXPECT_THAT(left(lint("__global__ void k() {\n"
                        "  /* warplint: allow(" +
                            strided +
                            ") read once */ x;\n"
                            "  y; /* warplint: allow(" +
                            strided +
                            ") read once */\n"
                            "  /* What follows is\n"
                            "   * warplint: allow(" +
                            strided +
                            ") read once\n"
                            "   */\n"
                            "  z;\n"
                            "  w;\n",
                        {2, 3, 7, 8})),
              ElementsAre(8));
}

TEST_F(Suppress, ACommentBeforeAKernelCoversIt) {
  Suppressed result = lint("// warplint: allow(" + strided +
                               ") runs once\n"
                               "template <int N>\n"
                               "__global__ void k(float *a) {\n"
                               "  x;\n"
                               "}\n"
                               "__global__ void other() {\n"
                               "  y;\n"
                               "}\n",
                           {4});
  EXPECT_EQ(result.hidden, 1u);
  EXPECT_THAT(useless(result), IsEmpty());

  // A finding in a helper belongs to its kernel.
  const std::string file = folder / "a.cu";
  SourceFindings source{file, {found(file, 7, "other")}, kernels};
  EXPECT_THAT(left(suppress({source}, known, true)), ElementsAre(7));
}

TEST_F(Suppress, ACommentInAKernelsHeadCoversIt) {
  for (const char *head : {
           "__global__ void k(float *a) { // WARPLINT\n",
           "__global__ void k(float *a, // WARPLINT\n  int n) {\n",
           "__global__ void k( /* WARPLINT */ float *a) {\n",
           "__global__ void k(float *a) // WARPLINT\n{\n",
       }) {
    std::string text = std::string(head) + "  x;\n  y;\n}\n";
    text.replace(text.find("WARPLINT"), 8,
                 "warplint: allow(" + strided + ") runs once");
    kernels.clear();
    EXPECT_THAT(left(lint(text, {3, 4})), IsEmpty()) << text;
  }
}

TEST_F(Suppress, ACommentInAKernelsBodyDoesNotCoverIt) {
  EXPECT_THAT(left(lint("__global__ void k(float *a) {\n"
                        "  // warplint: allow(" +
                            strided +
                            ") this one\n"
                            "  x;\n"
                            "  y;\n"
                            "} // warplint: allow(" +
                            strided + ") nothing\n",
                        {3, 4})),
              ElementsAre(4));
}

TEST_F(Suppress, AllowFileCoversTheFile) {
  Suppressed result = lint("// warplint: allow-file(" + strided +
                               ") generated\n"
                               "__global__ void k() {\n  x;\n}\n",
                           {2, 3});
  EXPECT_EQ(result.hidden, 2u);
  EXPECT_THAT(useless(result), IsEmpty());
}

// A library's header cannot be changed.
TEST_F(Suppress, FindingsInInlinedCodeCanBeAllowedAtTheCall) {
  const std::string file =
      write("__global__ void k() {\n  f(); // warplint: allow(" + strided +
            ") so f is\n  f();\n}\n");
  SourceFindings source{
      file, {found("/lib/f.h", 9), found("/lib/f.h", 9)}, kernels};
  source.findings[0].callSites = {{file, 2, 3}};
  source.findings[1].callSites = {{file, 3, 3}};
  Suppressed result = suppress({source}, known, true);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].callSites[0].line, 3u);
}

TEST_F(Suppress, OneCommentAllowsSeveralChecks) {
  std::vector<Allowance> found =
      allowancesIn("x; // warplint: allow(strided-global-access, "
                   "repeated-global-write): both meant\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].check, "repeated-global-write");
  EXPECT_EQ(found[1].reason, "both meant");
}

TEST_F(Suppress, OtherTextIsNoAllowance) {
  EXPECT_THAT(allowancesIn("f(\"// warplint: allow(x) y\");\n"
                           "g(R\"(\n// warplint: allow(x) y\n)\");\n"
                           "h('\"', \"\\\"// warplint: allow(x) y\");\n"
                           "warplint: allow(x);\n"
                           "// warplint: what this is about\n"),
              IsEmpty());
}

TEST_F(Suppress, QuotesOutsideStringsDoNotHideComments) {
  for (const char *text : {"#error don't\n// warplint: allow(x) y\n",
                           "int n = 1'000; // warplint: allow(x) y\n",
                           "c = '\\''; /* warplint: allow(x) y */\n",
                           "s = \"//\"; // \\\n warplint: allow(x) y\n"})
    EXPECT_EQ(allowancesIn(text).size(), 1u) << text;
}

// ---- what is to no purpose

TEST_F(Suppress, NeedsAReason) {
  for (const char *end : {"", " ", " -", ":", " */"}) {
    kernels.clear();
    Suppressed result = lint("__global__ void k() {\n  x; /* warplint: allow(" +
                                 strided + ")" + end + "*/\n",
                             {2});
    EXPECT_THAT(left(result), ElementsAre(2));
    EXPECT_THAT(useless(result),
                ElementsAre("2:9: 'allow(strided-global-access)' has no "
                            "reason, so it hides nothing"));
  }
}

TEST_F(Suppress, UnknownIdsAreReported) {
  Suppressed result = lint("__global__ void k() {\n"
                           "  x; // warplint: allow(strided-global-acces) why\n"
                           "  y; // warplint: allow() why\n",
                           {2});
  EXPECT_EQ(result.hidden, 0u);
  EXPECT_THAT(useless(result),
              ElementsAre("2:9: 'allow(strided-global-acces)' names no check; "
                          "did you mean 'strided-global-access'?",
                          "3:9: 'allow()' names no check, so it hides "
                          "nothing"));
}

TEST_F(Suppress, MisspeltWordsAreReported) {
  EXPECT_THAT(useless(lint("// warplint: alow(register-spill) why\n"
                           "// warplint: allow register-spill, why\n"
                           "// warplint: allow(register-spill why\n"
                           "// warplint: see(the manual) for more\n",
                           {})),
              ElementsAre("1:4: 'alow' has no meaning here; did you mean "
                          "'allow'?",
                          "2:4: 'allow' takes the ids of checks in brackets",
                          "3:4: 'allow' takes the ids of checks in brackets"));
}

// Other linters' words hide nothing, and nobody sees why.
TEST_F(Suppress, WordsOfOtherLintersAreAnswered) {
  EXPECT_THAT(
      useless(lint("// warplint: ignore(register-spill)\n"
                   "// warplint: allow-next-line(register-spill) why\n"
                   "// warplint: disable\n"
                   "// warplint: NOLINTNEXTLINE(register-spill)\n"
                   "// warplint: ignore-file(register-spill) generated\n"
                   "// warplint: skip the halo when reading the report\n",
                   {})),
      ElementsAre("1:4: 'ignore' has no meaning here; did you mean 'allow(ID) "
                  "REASON'?",
                  "2:4: 'allow-next-line' has no meaning here; did you mean "
                  "'allow(ID) REASON', at the end of the line or above it?",
                  "3:4: 'disable' has no meaning here; did you mean "
                  "'allow(ID) REASON'?",
                  "4:4: 'NOLINTNEXTLINE' has no meaning here; did you mean "
                  "'allow(ID) REASON', at the end of the line or above it?",
                  "5:4: 'ignore-file' has no meaning here; did you mean "
                  "'allow-file(ID) REASON'?"));
}

// ---- with the sources that a user has

TEST_F(Suppress, AppliesInHeadersAndAtMacroUses) {
  folder.write("rows.cuh", "#define ROW(a) a[threadIdx.x * 32] = 0\n"
                           "__device__ inline void row(float *a) {\n"
                           "  // warplint: allow(strided-global-access) known\n"
                           "  a[threadIdx.x * 32] = 0;\n"
                           "}\n");
  Outcome outcome = runProgram(
      {"check", "--no-judge",
       folder.write("a.cu",
                    "#include \"rows.cuh\"\n"
                    "__global__ void k(float *a, float *b) {\n"
                    "  row(a);\n"
                    "  // warplint: allow(strided-global-access) known\n"
                    "  ROW(b);\n"
                    "}\n")});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(outcome.out,
            "no findings in 1 kernel of 1 source, 2 allowed by comments\n");
}
