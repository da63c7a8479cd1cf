// The statement, call or constructor that gave a launch its value.
#include "launch_after.h"

namespace warplint {

TEST(ReachingChange, ReadVariablesAtTheLaunch) {
  EXPECT_EQ(inMain("dim3 block(16, 16); k<<<n / 16, block>>>(p);"), "16x16x1");
  EXPECT_EQ(
      inMain("dim3 block; block.x = 32; block.y = 8; k<<<1, block>>>(p);"),
      "32x8x1");
  EXPECT_EQ(inMain("int t; t = 544; k<<<1, t>>>(p); t = 32; k<<<1, t>>>(p);"),
            "544x1x1 32x1x1");
  EXPECT_EQ(inMain("unsigned x = 16, y = 2 * x; dim3 b{x, y}; b.y /= 2; "
                   "k<<<1, b>>>(p);"),
            "16x16x1");
  EXPECT_EQ(inMain("int t = 64; if (n > 3) t = 128; k<<<1, t>>>(p);"),
            "128x1x1 64x1x1");
  // Both dimensions are decided by one branch: two shapes, not four.
  EXPECT_EQ(inMain("int x = 8, y = 32; if (n > 3) { x = 32; y = 8; } "
                   "k<<<1, dim3(x, y)>>>(p);"),
            "32x8x1 8x32x1");
}

TEST(ReachingChange, LeaveRunTimeValuesOpen) {
  EXPECT_EQ(inMain("k<<<1, n>>>(p);"), "open");
  EXPECT_EQ(inMain("for (int t = 1; t <= 1024; ++t) k<<<1, t>>>(p);"), "open");
  EXPECT_EQ(launched("void choose(int *t); void run(float *p) { int t = 64; "
                     "choose(&t); k<<<1, t>>>(p); }"),
            "open");
  EXPECT_EQ(launched("void choose(int &t); void run(float *p) { int t = 64; "
                     "choose(t); k<<<1, t>>>(p); }"),
            "open");
  EXPECT_EQ(launched("int size = 64; void set(int n) { size = n; } "
                     "void run(float *p) { k<<<1, size>>>(p); }"),
            "open");
}

// llm.c asks for the number of SMs once, in setup_main().
TEST(ReachingChange, AGlobalIsWhatItsOnlySetUpGivesIt) {
  const std::string run = " void run(float *p) { k<<<1, size>>>(p); }";
  EXPECT_EQ(launched("int size = 0; void begin() { size = 96; }" + run),
            "96x1x1");
  EXPECT_EQ(launched("int size; void set(int n) { size = 2 * n; } "
                     "void begin() { set(48); }" +
                     run),
            "96x1x1");
  EXPECT_EQ(launched("struct Device { int size, other; }; Device d; "
                     "void begin() { d.other = 4; d.size = 96; } "
                     "void run(float *p) { k<<<1, d.size>>>(p); }"),
            "96x1x1");
  EXPECT_EQ(launched("int size; void set(int n) { size = n; }" + run), "open");
  EXPECT_EQ(launched("int size = 64; void begin() { size = 96; }" + run),
            "open");
  EXPECT_EQ(launched("int size; void begin() { size = 96; } "
                     "void change() { size = 32; }" +
                     run),
            "open");
  EXPECT_EQ(launched("int size; void begin(float *p) { k<<<1, size>>>(p); "
                     "size = 96; }"),
            "open");
}

// `int nx = 512;`, and `case 'n': nx = atoi(optarg);` in main.
TEST(ReachingChange, AGlobalThatOptionsChangeHasItsDefault) {
  const std::string begin = "int atoi(const char *); int more(); "
                            "int size = 96; void run(float *p) "
                            "{ k<<<1, size>>>(p); } ";
  EXPECT_EQ(launched(begin + "int main(int argc, char **argv) { if (argc > 1) "
                             "size = atoi(argv[1]); run(nullptr); }"),
            "96x1x1 open");
  EXPECT_EQ(launched("int atoi(const char *); int size = 0; "
                     "void run(float *p) { k<<<1, size>>>(p); } "
                     "int main(int argc, char **argv) { "
                     "size = atoi(argv[1]); run(nullptr); }"),
            "open");
  EXPECT_EQ(launched(begin + "int main() { if (more()) size = more(); "
                             "run(nullptr); }"),
            "open");
}

TEST(ReachingChange, FollowALoopOverSizes) {
  EXPECT_EQ(given("void run(float *p) { for (int b = 64; b <= 256; b *= 2) "
                  "k<<<1, b>>>(p, b); }"),
            "64(?,64) 128(?,128) 256(?,256)");
  EXPECT_EQ(given("void run(float *p) { for (int n = 3; n < 9; n += 2) "
                  "k<<<1, 64>>>(p, n); }"),
            "64(?,3) 64(?,5) 64(?,7)");
  EXPECT_EQ(given("void run(float *p, int m) { for (int b = 64; b <= m; ++b) "
                  "k<<<1, b>>>(p, b); }"),
            "?(?,?) ?(?,64)");
  EXPECT_EQ(given("void run(float *p) { for (int b = 64; b <= 256; b *= 2) { "
                  "if (p) b += 3; k<<<1, b>>>(p, 1); } }"),
            "?(?,1)");
}

// The extremes of many sizes count: the largest stride is the worst.
// A program that tries sizes names them in a list more often than by a step.
TEST(ReachingChange, FollowALoopOverAList) {
  const auto inRun = [](const std::string &body) {
    return launched("#include <array>\n#include <vector>\n"
                    "void run(float *p, int n) { " +
                    body + " }");
  };
  EXPECT_EQ(inRun("for (int t : {64, 96}) k<<<1, t>>>(p);"), "96x1x1 64x1x1");
  EXPECT_EQ(inRun("dim3 all[] = {{32, 8}, {8, 32}}; "
                  "for (dim3 b : all) k<<<1, b>>>(p);"),
            "32x8x1 8x32x1");
  EXPECT_EQ(inRun("std::array<dim3, 2> all{dim3(32, 8), dim3(64)}; "
                  "for (const auto &b : all) k<<<1, b>>>(p);"),
            "32x8x1 64x1x1");
  EXPECT_EQ(inRun("std::vector<int> all = {64, 96}; "
                  "for (int t : all) k<<<1, t>>>(p);"),
            "96x1x1 64x1x1");
  EXPECT_EQ(inRun("std::vector<int> all = {64}; all.push_back(n); "
                  "for (int t : all) k<<<1, t>>>(p);"),
            "open");
  EXPECT_EQ(inRun("std::vector<int> all(64, 96); "
                  "for (int t : all) k<<<1, t>>>(p);"),
            "open");
  EXPECT_EQ(inRun("for (int t : {64, 96}) { t *= n; k<<<1, t>>>(p); }"),
            "open");
}

TEST(ReachingChange, AnArgumentOfALongLoopHasItsExtremes) {
  EXPECT_EQ(given("void run(float *p) { for (int s = 1; s < 4096; s *= 2) "
                  "k<<<1, 64>>>(p, s); }"),
            "64(?,2048) 64(?,1) 64(?,64)");
  EXPECT_EQ(given("void run(float *p, int n) { for (int s = 1; s < n; s *= 2) "
                  "k<<<1, 64>>>(p, s); }"),
            "64(?,?) 64(?,1)");
}

// Settings that a function or a method of one's own fills.
TEST(ReachingChange, FollowWhatACallSets) {
  const std::string settings = "struct S { dim3 block; int grid; "
                               "S &threads(int t) { block = t; return *this; } "
                               "void look() { ++grid; } };\n";
  EXPECT_EQ(given(settings + "void fill(S &s, int t) { s.block = dim3(t, 2); "
                             "s.grid = 3; }\n"
                             "void run(float *p) { S s; fill(s, 12); "
                             "k<<<s.grid, s.block>>>(p, s.grid); }"),
            "12(?,3)");
  EXPECT_EQ(given(settings + "void fill(S *s, int t) { s->block.x = t; }\n"
                             "void run(float *p) { S s; s.block = 64; "
                             "fill(&s, 12); k<<<1, s.block>>>(p, 7); }"),
            "12(?,7)");
  EXPECT_EQ(given(settings + "void run(float *p) { S s; s.threads(12); "
                             "s.look(); k<<<1, s.block>>>(p, s.grid); }"),
            "12(?,?)");
  EXPECT_EQ(given("void size(int &n, int to) { n = to; }\n"
                  "void run(float *p) { int n = 5; size(n, 9); "
                  "k<<<1, 64>>>(p, n); }"),
            "64(?,9)");
  EXPECT_EQ(given("void size(int &n, float *p) { if (p) return; n = 4; }\n"
                  "void run(float *p) { int n = 5; size(n, p); "
                  "k<<<1, 64>>>(p, n); }"),
            "64(?,?)");
  EXPECT_EQ(given("void again(int &n) { n = 4; again(n); }\n"
                  "void run(float *p) { int n = 5; again(n); "
                  "k<<<1, 64>>>(p, n); }"),
            "64(?,?)");
}

// A method that changes other members leaves the block as it is.
TEST(ReachingChange, OtherMembersOfTheObjectMayChange) {
  const std::string solver = R"(
class Solver {
  dim3 block_; float *p_; int steps_ = 0;
public:
  explicit Solver(float *p) : block_(48), p_(p) {}
  void step() { ++steps_; k<<<4, block_>>>(p_, steps_); }
  void widen() { block_.x *= steps_; }
};
)";
  EXPECT_EQ(given(solver + "void all(float *p) { Solver s(p); "
                           "while (*p) s.step(); }"),
            "48(?,?)");
  EXPECT_EQ(given(solver + "void all(float *p) { auto *s = new Solver(p); "
                           "s->step(); }"),
            "48(?,?)");
  EXPECT_EQ(given(solver + "void all(float *p) { Solver s(p); "
                           "s.widen(); s.step(); }"),
            "?(?,?)");
}

/// What a program launches that sets `n` so.
static std::string inProgram(llvm::StringRef body,
                             llvm::StringRef before = "") {
  return given((R"(
extern "C" int atoi(const char *);
extern "C" char *getenv(const char *);
extern "C" int strcmp(const char *, const char *);
extern char *optarg;
extern "C" int getopt(int, char *const *, const char *);
bool flag(int, const char **, const char *);
void find(int, const char **, const char *, int *);
)" + before + R"(
int main(int argc, char **argv) { float *p = nullptr; )" +
                body + " k<<<1, 64>>>(p, n); }\n")
                   .str());
}

// Of a program that is started without arguments, its defaults are known.
TEST(ReachingChange, ProgramsHaveDefaults) {
  const std::string both = "64(?,4096) 64(?,?)";
  for (const char *body :
       {"int n = argc > 1 ? atoi(argv[1]) : 4096;",
        "int n = argc < 2 ? 4096 : atoi(argv[1]);",
        "int n = 4096; if (argc > 1) n = atoi(argv[1]);",
        "int n; if (argc == 2 && *argv[1] != '-') n = atoi(argv[1]); "
        "else n = 4096;",
        "int n; if (argc < 2 || *argv[1] == '-') n = 4096; "
        "else n = atoi(argv[1]);",
        "int n = 4096, c; while ((c = getopt(argc, argv, \"n:\")) != -1) "
        "{ switch (c) { case 'n': n = atoi(optarg); break; } }",
        "int n = 4096; for (int i = 1; i < argc; ++i) "
        "if (!strcmp(argv[i], \"-n\")) n = atoi(argv[++i]);",
        "int n = 4096; find(argc, (const char **)argv, \"n\", &n);",
        "int n = 4096; if (flag(argc, (const char **)argv, \"n\")) "
        "find(argc, (const char **)argv, \"n\", &n);",
        "const char *size = getenv(\"N\"); "
        "const int n = size ? atoi(size) : 4096;",
        "int n = 4096; if (!flag(argc, (const char **)argv, \"n\")) ; "
        "else n = atoi(argv[1]);"})
    EXPECT_EQ(inProgram(body), both) << body;
  EXPECT_EQ(inProgram("if (argc != 2) return 1; int n = atoi(argv[1]);"),
            "64(?,?)");
}

// `int n = 0;` is no default of a program that ends without arguments.
TEST(ReachingChange, ABranchThatLeavesGivesNoValue) {
  EXPECT_EQ(inProgram("int n = 0; if (argc < 2) return 1; "
                      "else n = atoi(argv[1]);"),
            "64(?,?)");
  EXPECT_EQ(inProgram("int n = 0; if (argc > 1) { n = 7; } else { return 1; }"),
            "64(?,7)");
  EXPECT_EQ(inProgram("int n = 5; if (argc > 1) { n = 7; return 1; }"),
            "64(?,5)");
}

TEST(ReachingChange, DefaultsMayBeMembers) {
  const std::string options = R"(
struct Options {
  int n = 4096;
  void parse(int argc, char **argv) {
    for (int i = 1; i < argc; ++i)
      if (argv[i][0] == '-')
        n = atoi(argv[i]);
  }
};
)";
  EXPECT_EQ(inProgram("Options o; o.parse(argc, argv); int n = o.n;", options),
            "64(?,4096) 64(?,?)");
}

// "Mode 1" kept all that mode 3 executes silent, and `*q = 3` came before.
TEST(ReachingChange, WhatHasAnotherNameIsUnknown) {
  for (const char *change :
       {"int *q = &n; *q = 3;", "int *q; q = &n; n = 1; q[0] = 3;",
        "int &q = n; n = 1; q = 3;", "auto &&q = n; q = 3;",
        "int *q = keep(&n); n = 1; *q = 3;", "int *all[] = {&n}; *all[0] = 3;",
        "struct S { int *at; } s{&n}; n = 1; *s.at = 3;",
        "struct S { S(int &m) : at(m) {} int &at; } s(n); n = 1; s.at = 3;",
        "void (*set)(int &) = nullptr; set(n);", "int z; (ask() ? n : z) = 3;"})
    EXPECT_EQ(launchAfter(change), "64(?,?)") << change;
  EXPECT_EQ(after("Size s{1}; int *q = &s.n; s.n = 1; *q = 3; "
                  "k<<<1, 64>>>(p, s.n);"),
            "64(?,?)");
  EXPECT_EQ(after("struct S { int &at() { return m; } int m = 1; } s; "
                  "s.at() = 3; k<<<1, 64>>>(p, s.m);"),
            "64(?,?)");
  EXPECT_EQ(after("const int &q = n; n = 3; k<<<1, 64>>>(p, q);"), "64(?,?)");
  EXPECT_EQ(after("int all[] = {1, 1}; for (int &each : all) each = 3; "
                  "k<<<1, 64>>>(p, all[0]);"),
            "64(?,?)");
  EXPECT_EQ(after("union { int a, b; } u; u.a = 1; u.b = 3; "
                  "k<<<1, 64>>>(p, u.a);"),
            "64(?,?)");
  EXPECT_EQ(after("volatile int m = 1; k<<<1, 64>>>(p, m);"), "64(?,?)");
  EXPECT_EQ(given("#include <thread>\nvoid run(float *p) { int n = 1; "
                  "std::thread other([](int m) {}, n); "
                  "k<<<1, 64>>>(p, n); other.join(); }"),
            "64(?,1)")
      << "it copies 'n'";
  // What only reads it leaves it as it is.
  for (const char *use :
       {"const int *q = &n;", "const int &q = n;", "float *q = p + n;",
        "auto read = [&] { return n + ask(); };", "void *all[] = {&p, &n};"})
    EXPECT_EQ(launchAfter(use), "64(?,1)") << use;
}

// A loop over one member of a class made all that it launches unknown.
TEST(ReachingChange, OtherMembersThanTheOneOfAnotherNameAreKnown) {
  auto solver = [](const std::string &body) {
    return given("struct Vector { int *data(); int &operator[](int); };\n"
                 "class Solver { int n_ = 1, all_[8]; Vector list_; public: "
                 "void clear() { " +
                 body +
                 " } void step(float *p) { k<<<1, 64>>>(p, n_); } };\n"
                 "void run(float *p) { Solver s; s.clear(); s.step(p); }");
  };
  for (const char *other :
       {"for (int &each : all_) each = 0;", "int *q = list_.data(); q[0] = 3;",
        "list_[0] = 3;", "int &q = all_[3]; q = 3;"})
    EXPECT_EQ(solver(other), "64(?,1)") << other;
  for (const char *same : {"int &q = n_; q = 3;", "int *q = &n_; *q = 3;",
                           "Solver &self = *this; self.n_ = 3;"})
    EXPECT_EQ(solver(same), "64(?,?)") << same;
}

// 'Config &config = *all;' that is only read made each launch one of an assumed
// block, and what its mode shuts out was reported.
TEST(ReachingChange, ANameUnderWhichNothingChangesIsNone) {
  auto behind = [](const std::string &name, const std::string &use) {
    return after("Size s; s.n = 1; " + name + " k<<<1, 64>>>(p, " + use + ");",
                 "Size list[2]; void get(Size *); void hold(Size *const &);");
  };
  EXPECT_EQ(behind("Size &q = s;", "q.n"), "64(?,1)");
  EXPECT_EQ(behind("Size &q = s; Size &r = q;", "r.n"), "64(?,1)");
  EXPECT_EQ(behind("Size *q = &s;", "q->n"), "64(?,1)");
  EXPECT_EQ(behind("Size *q = &s; q->n;", "s.n"), "64(?,1)");
  EXPECT_EQ(behind("for (Size &q : list) ask();", "s.n"), "64(?,1)");
  for (const char *change : {"s.n = 3;", "Size *r = &q; get(r);", "hold(&q);",
                             "auto set = [&] { q.n = 3; }; set();"})
    EXPECT_EQ(behind("Size &q = s; " + std::string(change), "q.n"), "64(?,?)")
        << change;
  for (const char *change : {"get(q);", "hold(q);", "Size *r = q; r->n = 3;",
                             "q[0].n = 3;", "Size *r[] = {q}; r[0]->n = 3;",
                             "auto set = [r = q] { r->n = 3; }; set();"})
    EXPECT_EQ(behind("Size *q = &s; " + std::string(change), "s.n"), "64(?,?)")
        << change;
  EXPECT_EQ(given("class Solver { int n_ = 1; public: void step(float *p) "
                  "{ Solver &self = *this; k<<<1, 64>>>(p, self.n_); } };\n"
                  "void run(float *p) { Solver s; s.step(p); }"),
            "64(?,1)");
}

TEST(ReachingChange, WhatALambdaChangesIsUnknown) {
  for (const char *change : {"auto set = [&] { n = 3; }; n = 1; set();",
                             "auto set = [&m = n] { m = 3; }; n = 1; set();"})
    EXPECT_EQ(launchAfter(change), "64(?,?)") << change;
  EXPECT_EQ(after("auto go = [&] { k<<<1, 64>>>(p, n); }; n = 3; go();"),
            "64(?,?)");
  EXPECT_EQ(after("auto go = [=] { k<<<1, 64>>>(p, n); }; n = 3; go();"),
            "64(?,1)");
  EXPECT_EQ(after("n = 3; auto go = [&] { k<<<1, 64>>>(p, n); }; go();"),
            "64(?,3)");
}

TEST(ReachingChange, AStaticVariableKeepsWhatTheLastCallLeft) {
  EXPECT_EQ(after("static int m = 1; k<<<1, 64>>>(p, m); m = 3;"), "64(?,?)");
  EXPECT_EQ(after("static int m = 1; m = 3; k<<<1, 64>>>(p, m);"), "64(?,3)");
  EXPECT_EQ(after("static int m = 1; k<<<1, 64>>>(p, m);"), "64(?,1)");
}

// The value of such a variable is the usual one; what it keeps threads from
// may be executed all the same.
TEST(ReachingChange, AGlobalThatOtherSourcesMayChangeIsMarked) {
  auto ends = [](const std::string &host) {
    const SourceModel model =
        readText("__global__ void k(float *p, int n) { p[n] = 1; }\n" + host);
    const Launch &launch = model.outline.launches.at(0);
    return std::pair(launch.arguments.at(1), launch.ends.size());
  };
  using Marked = std::pair<std::optional<uint64_t>, size_t>;
  const std::string run = " void run(float *p) { k<<<1, 64>>>(p, m); }";
  EXPECT_EQ(ends("int m = 1;" + run), (Marked{1, 1}));
  EXPECT_EQ(ends("static int m; void begin() { m = 3; }" + run),
            (Marked{3, 1}));
  for (const char *sure :
       {"static int m = 1;", "const int m = 1;", "namespace { int m = 1; }"})
    EXPECT_EQ(ends(sure + run), (Marked{1, 0})) << sure;
  // So is what a function passes that others may call unseen.
  const std::string go = "static void go(float *p, int m) "
                         "{ k<<<1, 64>>>(p, m); } "
                         "void run(float *p) { go(p, 1); }";
  EXPECT_EQ(ends(go), (Marked{1, 0}));
  EXPECT_EQ(ends(go + " auto *other = &go;"), (Marked{1, 1}));
}

// Mode 3 of 100 lies between those that are read, and so does a seventh call.
TEST(ReachingChange, AFewOfManyValuesAreMarked) {
  auto ends = [](const std::string &host) {
    const SourceModel model =
        readText("__global__ void k(float *p, int n) { p[n] = 1; }\n" + host);
    return model.outline.launches.at(0).ends.size();
  };
  auto loop = [&](const std::string &count) {
    return ends("void run(float *p) { for (int n = 0; n < " + count +
                "; ++n) k<<<1, 64>>>(p, n); }");
  };
  EXPECT_EQ(loop("100"), 1u);
  EXPECT_EQ(loop("4"), 0u);
  const std::string go = "static void go(float *p, int n) "
                         "{ k<<<1, 64>>>(p, n); } void run(float *p) {";
  const std::string three = "go(p, 1); go(p, 2); go(p, 3);";
  EXPECT_EQ(ends(go + three + "}"), 0u);
  EXPECT_EQ(ends(go + three + three + "go(p, 4); }"), 1u);
}

TEST(ReachingChange, ARecursionPassesItsOwnValuesToo) {
  EXPECT_EQ(given("void go(float *p, int n) { if (n > 9) return; "
                  "k<<<1, 64>>>(p, n); go(p, n + 1); }"
                  "void run(float *p) { go(p, 1); }"),
            "64(?,?) 64(?,1)");
}

} // namespace warplint
