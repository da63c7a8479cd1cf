// A library's own callers, which are C or C++ that warplint does not read, say
// what an argument is: all callers of a BLAS in this project pass a stride
// of 1.
#include "program_runs.h"
#include "run/callers.h"
#include <unistd.h>

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

namespace {

using Numbers = std::vector<std::optional<uint64_t>>;

/// A launch of k(n, x, stride) in `fill(x, n, stride)`.
Launch launch() {
  Launch launch;
  launch.kernel = "k";
  launch.arguments = {std::nullopt, std::nullopt, std::nullopt};
  launch.fromCaller = {"fill", 3, {1, std::nullopt, 2}, true};
  return launch;
}

CallsByFunction calls(std::set<Numbers> passed, bool isNamed = false) {
  return {{{"fill", 3}, {std::move(passed), isNamed}}};
}

constexpr const char *library = R"(
__global__ void k(int n, float *x, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i * stride] = 0;
}
extern "C" void fill_from(float *x, int n, int stride) {
  k<<<n / 256, 256>>>(n, x, stride);
}
extern "C" void fill(float *x, int n, int stride) {
  fill_from(x + 1, n, stride);
}
)";

} // namespace

TEST(Callers, GiveALaunchTheNumbersThatTheyPass) {
  const std::vector<Launch> one =
      asCalled(launch(), calls({{std::nullopt, std::nullopt, 1}}));
  ASSERT_THAT(one, SizeIs(1));
  EXPECT_EQ(one[0].arguments, (Numbers{std::nullopt, std::nullopt, 1}));
  EXPECT_FALSE(one[0].sizesKnown);
  const std::vector<Launch> two = asCalled(
      launch(), calls({{std::nullopt, 64, 1}, {0, 64, 1}, {0, 64, 8}}));
  ASSERT_THAT(two, SizeIs(2)) << "the first parameter is no argument";
  EXPECT_EQ(two[1].arguments, (Numbers{64, std::nullopt, 8}));
  EXPECT_TRUE(two[1].sizesKnown);
}

// The mode that the own source passes shut out the code of another one's.
TEST(Callers, InItsOwnSourceAreNotAllOfThem) {
  Launch here = launch();
  here.arguments = {64, std::nullopt, 1};
  here.grid = {4, 1, 1};
  here.sizesKnown = true;
  const auto known = [&](const CallsByFunction &calls) {
    std::vector<Numbers> passed;
    for (const Launch &launch : asCalled(here, calls))
      passed.push_back(launch.arguments);
    return passed;
  };
  EXPECT_EQ(known({}), (std::vector<Numbers>{here.arguments}));
  EXPECT_EQ(known(calls({})), (std::vector<Numbers>{here.arguments}));
  EXPECT_EQ(known(calls({{0, 32, 3}})),
            (std::vector<Numbers>{here.arguments, {32, std::nullopt, 3}}));
  EXPECT_EQ(asCalled(here, calls({{0, 32, 3}}))[1].grid[0], std::nullopt)
      << "it may be computed from them";
}

TEST(Callers, InAnotherSourceDecideWhatIsExecuted) {
  InputFolder folder;
  folder.write("src/go.h", "void go(float *out, float *in, int mode);\n");
  folder.write("src/go.cu", R"(#include "go.h"
__global__ void k(float *out, float *in, int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = mode == 3 ? 0 : 1;
  if (mode == 3)
    out[i] = in[i * 32];
}
void go(float *out, float *in, int mode) {
  k<<<65536, 256>>>(out, in, mode);
}
void usual(float *out, float *in) { go(out, in, 1); }
)");
  EXPECT_EQ(checkOnly(folder / "src").out.find("in[i"), std::string::npos);
  folder.write("src/other.cu", R"(#include "go.h"
void other(float *out, float *in) { go(out, in, 3); }
)");
  EXPECT_THAT(checkOnly(folder / "src").out, HasSubstr("in[i * 32]"));
}

// A call of its own with a number that only tokens cannot tell was one of
// another source, where a link leads to the project.
TEST(Callers, InItsOwnSourceAreKnownByTheFile) {
  InputFolder folder;
  folder.write("src/go.h", "void go(float *out, float *in, int mode);\n");
  folder.write("src/go.cu", R"(#include "go.h"
__global__ void k(float *out, float *in, int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = mode == 3 ? in[i * 32] : in[i];
}
void go(float *out, float *in, int mode) {
  k<<<65536, 256>>>(out, in, mode);
}
static int usual() { return 1; }
void all(float *out, float *in) { go(out, in, usual()); }
)");
  ASSERT_EQ(symlink((folder / "src").c_str(), (folder / "link").c_str()), 0);
  EXPECT_EQ(checkOnly(folder / "src").out.find("in[i * 32]"),
            std::string::npos);
  EXPECT_EQ(checkOnly(folder / "link").out.find("in[i * 32]"),
            std::string::npos);
}

// Each of the sources that include a header had a search of its own: a project
// of 250 took 8 s instead of 5.
TEST(Callers, OfAHeadersFunctionAreSearchedForOnce) {
  const std::vector<Launch> found =
      asCalled(launch(), calls({{std::nullopt, std::nullopt, 1}}), "a.cu");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].arguments, (Numbers{std::nullopt, std::nullopt, 1}));
}

TEST(Callers, ThatMayBeUnseenDecideNothing) {
  auto isOpen = [](const std::vector<Launch> &launches) {
    return launches.size() == 1 && !launches[0].arguments[2];
  };
  EXPECT_TRUE(isOpen(asCalled(launch(), {})));
  EXPECT_TRUE(isOpen(asCalled(launch(), calls({}))));
  EXPECT_TRUE(isOpen(asCalled(launch(), calls({{0, 1, 1}}, true))));
  std::set<Numbers> many;
  for (unsigned i = 0; i < 9; ++i)
    many.insert({i, i, i});
  EXPECT_TRUE(isOpen(asCalled(launch(), calls(many))));
}

// `x[i * stride]` wants no work where 'stride' is always 1.
TEST(Callers, InOtherLanguagesDecideWhatIsFound) {
  InputFolder folder;
  folder.write("src/library.cu", library);
  const std::string user = folder.write(
      "app/user.c", "void fill(float *x, int n, int stride);\n"
                    "void use(float *x, int n) { fill(x, n, 1); }\n");
  EXPECT_EQ(checkOnly(folder / "src").out.find("stride"), std::string::npos);
  // A cached result is that of these callers alone.
  folder.write("app/more.c", "void more(float *x) { fill(x, 1 << 20, 8); }\n");
  EXPECT_THAT(
      checkOnly(folder / "src").out,
      AllOf(HasSubstr("strided-global-access"), Not(HasSubstr("if '"))));
  folder.write("app/more.c",
               "void more(float *x, int s) { fill(x, 1 << 20, s); }\n");
  EXPECT_THAT(checkOnly(folder / "src").out,
              AllOf(HasSubstr("strided-global-access"),
                    HasSubstr("in the launch at library.cu:8")));
  // From here on the files are old enough for their calls to be kept.
  sleep(2);
  for (int run = 0; run < 2; ++run)
    EXPECT_THAT(checkOnly(folder / "src").out,
                HasSubstr("in the launch at library.cu:8"));
  folder.write("app/more.c", "void more(float *x) { fill(x, 1 << 20, 1); }\n");
  EXPECT_EQ(checkOnly(folder / "src").out.find("stride"), std::string::npos);
}
