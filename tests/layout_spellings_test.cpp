// Where the layouts of Views are written, and the Views that have to have one
// layout: the edit of the other layout, and where it would be another program.
#include "kokkos_runs.h"
#include "nvcc.h"
#include "llvm/ADT/STLExtras.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The text behind `#include <Kokkos_Core.hpp>` after the first edit of a
/// layout; "none" if no finding has one.
std::string relaidIn(const std::string &text) {
  InputFolder folder;
  const std::string include = "#include <Kokkos_Core.hpp>\n";
  const std::string file = folder.write("a.cpp", include + text);
  std::vector<std::string> words = kokkosCudaFlags();
  words.back() = "-I" + kokkosStub;
  words.insert(words.begin(),
               {"check", file, "--no-judge", "--minor", "--format", "json",
                "--check", "layout-against-index", "--"});
  Outcome outcome = runProgram(words);
  const llvm::json::Array findings = parsed(outcome, "findings");
  EXPECT_FALSE(findings.empty()) << outcome.out << outcome.err;
  for (const llvm::json::Value &finding : findings) {
    const llvm::json::Object *edit = finding.getAsObject()->getObject("edit");
    if (!edit)
      continue;
    EXPECT_EQ(edit->getString("class"), "assumes");
    std::string result = include + text;
    for (const llvm::json::Value &each :
         llvm::reverse(*edit->getArray("edits"))) {
      const llvm::json::Object &change = *each.getAsObject();
      result.replace(*change.getInteger("offset"), *change.getInteger("length"),
                     change.getString("text")->str());
    }
    return result.substr(include.size());
  }
  return "none";
}

constexpr const char *rows = R"(
  Kokkos::parallel_for("rows", n, KOKKOS_LAMBDA(int i) {
    double sum = 0;
    for (int j = 0; j < m; ++j)
      sum += a(i, j);
    out(i) = sum;
  });
)";

/// The types of 'a' and 'b', "double **, Kokkos::LayoutRight", after the edit
/// of a program with this code before and behind its kernel.
std::string relaid(const std::string &type, const std::string &before = "",
                   const std::string &behind = "") {
  const std::string main = "int main(int n, char **) {\n"
                           "  const int m = n * 3;\n"
                           "  Kokkos::View<double *> out(\"out\", n);\n";
  const std::string result =
      relaidIn(main + "  Kokkos::View<" + type + "> a(\"a\", n, m);\n" +
               before + rows + behind + "}\n");
  if (result == "none")
    return result;
  llvm::StringRef rest = result;
  rest = rest.drop_front(rest.find("Kokkos::View<", main.size() - 1) + 13);
  return rest.take_front(rest.find("> a(")).str();
}

} // namespace

TEST(LayoutSpellings, TheLayoutIsReplacedOrInserted) {
  EXPECT_EQ(relaid("double **, Kokkos::LayoutRight"),
            "double **, Kokkos::LayoutLeft");
  EXPECT_THAT(relaidIn("int main(int n, char **) {\n"
                       "  const int m = n;\n"
                       "  Kokkos::View<double**> a(\"a\", n, m);\n"
                       "  Kokkos::parallel_for(\"c\", m, KOKKOS_LAMBDA(int j) {"
                       "\n    for (int i = 0; i < n; ++i)\n"
                       "      a(i, j) += 1;\n  });\n}\n"),
              HasSubstr("Kokkos::View<double**, Kokkos::LayoutRight> a("));
}

TEST(LayoutSpellings, AnAliasIsChangedForAllThatItDeclares) {
  const std::string text =
      relaidIn("using Matrix = Kokkos::View<double **, Kokkos::LayoutRight>;\n"
               "int main(int n, char **) {\n"
               "  const int m = n * 3;\n"
               "  Kokkos::View<double *> out(\"out\", n);\n"
               "  Matrix a(\"a\", n, m), b(\"b\", n, m);\n" +
               std::string(rows) + "}\n");
  EXPECT_THAT(text, HasSubstr("= Kokkos::View<double **, Kokkos::LayoutLeft>"));
  // What serves 'a' costs 'b' as much.
  EXPECT_EQ(
      relaidIn("using Matrix = Kokkos::View<double **, Kokkos::LayoutRight>;\n"
               "int main(int n, char **) {\n"
               "  const int m = n * 3;\n"
               "  Kokkos::View<double *> out(\"out\", n);\n"
               "  Matrix a(\"a\", n, m), b(\"b\", n, m);\n" +
               std::string(rows) +
               "  Kokkos::parallel_for(\"b\", m, KOKKOS_LAMBDA(int j) {\n"
               "    for (int i = 0; i < n; ++i)\n"
               "      b(i, j) = 1;\n  });\n}\n"),
      "none");
}

// Without an edit as well, the advice counts the accesses of all kernels.
TEST(LayoutSpellings, TheAdviceIsForAllKernelsOfAView) {
  auto advice = [](const std::string &more) {
    InputFolder folder;
    const std::string file = folder.write(
        "a.cpp", "#include <Kokkos_Core.hpp>\n"
                 "using Right = Kokkos::LayoutRight;\n"
                 "int main(int n, char **) {\n  const int m = n;\n"
                 "  Kokkos::View<double *> out(\"out\", n);\n"
                 "  Kokkos::View<double **, Right> a(\"a\", n, m);\n" +
                     std::string(rows) + more + "}\n");
    std::vector<std::string> words = kokkosCudaFlags();
    words.back() = "-I" + kokkosStub;
    words.insert(words.begin(), {"check", file, "--no-judge", "--minor", "--"});
    return runProgram(words).out;
  };
  EXPECT_THAT(advice(""), AllOf(HasSubstr("fix: make 'a' LayoutLeft, or let"),
                                Not(HasSubstr("edit ("))));
  EXPECT_THAT(advice("  Kokkos::parallel_for(\"c\", m, KOKKOS_LAMBDA(int j) {\n"
                     "    for (int i = 0; i < n; ++i)\n"
                     "      a(i, j) += 1;\n  });\n"),
              AllOf(HasSubstr("fix: let the lanes run over the last index"),
                    Not(HasSubstr("make 'a'"))));
}

TEST(LayoutSpellings, CopiesHaveOneLayout) {
  const std::string type = "Kokkos::View<double **, Kokkos::LayoutRight>",
                    other = "Kokkos::View<double **, Kokkos::LayoutLeft>";
  const std::string text =
      relaidIn("struct Rows {\n  " + type +
               " a;\n"
               "  Kokkos::View<double *> out;\n  int m;\n"
               "  Rows(const " +
               type +
               " &given, Kokkos::View<double *> sums, int m)\n"
               "      : a(given), out(sums), m(m) {}\n"
               "  KOKKOS_FUNCTION void operator()(int i) const {\n"
               "    double sum = 0;\n"
               "    for (int j = 0; j < m; ++j)\n      sum += a(i, j);\n"
               "    out(i) = sum;\n  }\n};\n"
               "static void sums(" +
               type +
               " all, int n, int m) {\n"
               "  Kokkos::View<double *> out(\"out\", n);\n"
               "  Kokkos::parallel_for(n, Rows(all, out, m));\n}\n"
               "int main(int n, char **) {\n"
               "  " +
               type +
               " matrix(\"matrix\", n, n);\n"
               "  auto same = matrix;\n"
               "  sums(same, n, n);\n}\n");
  EXPECT_THAT(text, HasSubstr(other + " a;"));
  EXPECT_THAT(text, HasSubstr("const " + other + " &given"));
  EXPECT_THAT(text, HasSubstr("sums(" + other + " all"));
  EXPECT_THAT(text, HasSubstr(other + " matrix("));
  EXPECT_THAT(text, Not(HasSubstr("LayoutRight")));
}

TEST(LayoutSpellings, AUseThatMayDependOnTheLayoutForbidsTheEdit) {
  const std::string type = "double **, Kokkos::LayoutRight";
  EXPECT_EQ(relaid(type, "  double *p = a.data();\n"), "none");
  EXPECT_EQ(relaid(type, "",
                   "  Kokkos::View<double **, Kokkos::LayoutRight> "
                   "b(a.data(), n, m);\n"),
            "none");
  EXPECT_EQ(relaid(type, "  Kokkos::View<double **, Kokkos::LayoutLeft> "
                         "b(\"b\", n, m);\n  Kokkos::deep_copy(a, b);\n"),
            "none")
      << "a copy between two layouts";
  EXPECT_EQ(relaid(type, "  auto row = Kokkos::subview(a, 1);\n"), "none");
  EXPECT_EQ(relaid(type, "  auto f = [=] { return a; };\n"), "none");
  EXPECT_EQ(relaid(type, "  auto *p = &a;\n"), "none");
  EXPECT_EQ(
      relaidIn(
          "using M = Kokkos::View<double **, Kokkos::LayoutRight>;\n"
          "int main(int n, char **) {\n  const int m = n;\n"
          "  Kokkos::View<double *> out(\"out\", n);\n"
          "  M a(\"a\", n, m), more[2] = {M(\"b\", n, m), M(\"c\", n, m)};\n"
          "  more[1](1, 2) = 3;\n" +
          std::string(rows) + "}\n"),
      "none")
      << "others of its type whose accesses are not told apart";
}

TEST(LayoutSpellings, MirrorsAndFillsFollowTheView) {
  const std::string type = "double **, Kokkos::LayoutRight",
                    other = "double **, Kokkos::LayoutLeft";
  EXPECT_EQ(relaid(type, "  Kokkos::deep_copy(a, 1.0);\n"), other);
  EXPECT_EQ(relaid(type, "  auto h = Kokkos::create_mirror_view(a);\n"
                         "  h(1, 2) = 3;\n  Kokkos::deep_copy(a, h);\n"),
            other);
  EXPECT_EQ(relaid(type, "  auto h = Kokkos::create_mirror_view(a);\n"
                         "  h.data()[m] = 3;\n  Kokkos::deep_copy(a, h);\n"),
            "none");
}

// The names of kernels and of the library's own copies change with the type.
TEST(LayoutSpellings, TheEditIsProvenInTheLibrary) {
  NEEDS_REAL_KOKKOS();
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: no fix can be proven";
  InputFolder folder;
  const std::string file = folder.write("a.cpp", R"(#include <Kokkos_Core.hpp>
using Matrix = Kokkos::View<float **, Kokkos::LayoutRight>;
static void scale(Matrix a, float by, int n, int m) {
  Kokkos::parallel_for("scale", n, KOKKOS_LAMBDA(int i) { a(i, m) *= by; });
}
int main(int n, char **) {
  Matrix a("a", n, n);
  auto h = Kokkos::create_mirror_view(a);
  for (int i = 0; i < n; ++i)
    h(i, i) = i;
  Kokkos::deep_copy(a, h);
  scale(a, 2, n, n / 2);
}
)");
  const Outcome outcome = runProgram(
      withFlags({"check", file, "--fix", "--unsafe", "--arch", "sm_90",
                 "--no-cache", "--check", "layout-against-index"}));
  EXPECT_THAT(outcome.err, HasSubstr("1 fix applied")) << outcome.out;
  EXPECT_THAT(
      readFile(file),
      HasSubstr("Matrix = Kokkos::View<float **, Kokkos::LayoutLeft>;"));
}

TEST(LayoutSpellings, ATypeThatOthersNameStays) {
  const std::string type = "Kokkos::View<double **, Kokkos::LayoutRight>";
  const std::string body = "(" + type +
                           " a, Kokkos::View<double *> out, int n,"
                           " int m) {" +
                           rows + "}\n";
  EXPECT_EQ(relaidIn("void sums" + body), "none") << "another source calls it";
  EXPECT_THAT(relaidIn("static void sums" + body +
                       "void run(int n) {\n  Kokkos::View<double *> out(\"o\","
                       " n);\n  " +
                       type + " v(\"v\", n, n);\n  sums(v, out, n, n);\n}\n"),
              Not(HasSubstr("LayoutRight")));
  EXPECT_EQ(
      relaidIn("#define RIGHT Kokkos::LayoutRight\n"
               "#define MATRIX(name) Kokkos::View<double **, RIGHT> name\n"
               "static void sums(MATRIX(a), Kokkos::View<double *> out, "
               "int n, int m) {" +
               std::string(rows) +
               "}\nvoid run(int n) {\n  Kokkos::View<double *> out(\"o\","
               " n);\n  MATRIX(v)(\"v\", n, n);\n"
               "  sums(v, out, n, n);\n}\n"),
      "none");
}
