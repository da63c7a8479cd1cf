// What keeps floats in double, in the words of the remedy.
#include "program_runs.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

struct DoubleCauses : testing::Test {
  InputFolder folder;
  std::string reportOn(const std::string &text) {
    const std::string file = folder.write("a.cu", text);
    return runProgram({"check", "--minor", "--no-judge", "--no-cache",
                       "--check", "double-in-float", file})
        .out;
  }
};

} // namespace

// Who wrote the two literals of the line as floats gained nothing: 'DIV' was
// still given a double.
TEST_F(DoubleCauses, ADoubleThatAFunctionIsGivenIsNamed) {
  const auto report = [&](const std::string &value) {
    return reportOn("constexpr double scale = 0.3;\n"
                    "template <class T, class U>\n"
                    "__device__ T DIV(T a, U b) { return a * (1.0f / b); }\n"
                    "__global__ void k(float *v, int n) {\n"
                    "  float x = v[threadIdx.x];\n"
                    "  for (int k = 0; k < n; ++k) x = " +
                    value + ";\n  v[threadIdx.x] = x;\n}\n");
  };
  EXPECT_THAT(report("4.2 - 0.9 * x + DIV(855.468335, x)"),
              HasSubstr("fix: write '0.9f' and '4.2f', and use a float of the "
                        "value of 855.468335\n"));
  EXPECT_THAT(report("4.2 - scale * x"),
              HasSubstr("fix: write '4.2f', and use a float of the value of "
                        "'scale'\n"));
}

// nerfacc declares the steps of its Newton iteration 'double': no float in
// place of the '1', and no 'fabsf', changes anything.
TEST_F(DoubleCauses, AnIntegerAndWhatIsGivenADoubleAreNoCause) {
  const std::string report =
      reportOn("__global__ void k(float *v, int n, float a) {\n"
               "  float x = v[threadIdx.x];\n"
               "  for (int k = 0; k < n; ++k) {\n"
               "    double square = x * x, scaled = a * square;\n"
               "    double step = x * (1 + scaled) / (1 + 3 * scaled);\n"
               "    x = x - step;\n    if (fabs(step) < 1e-5f) break;\n"
               "  }\n  v[threadIdx.x] = x;\n}\n");
  EXPECT_THAT(report, HasSubstr("is computed in double: "));
  EXPECT_THAT(report, HasSubstr("fix: keep the values in floats\n"));
}

// The function is changed once for all of its calls, each of which alone would
// not pay.
TEST_F(DoubleCauses, AFunctionIsPricedWithAllOfItsCalls) {
  const auto report = [&](unsigned calls) {
    std::string sum = "0";
    for (unsigned i = 0; i < calls; ++i)
      sum += " + step(x * " + std::to_string(i + 2) + ") * x";
    return reportOn("__device__ float step(float x) {\n"
                    "  return x * 0.318309886 + 0.5;\n}\n"
                    "__global__ void k(float *v, int n) {\n"
                    "  float x = v[threadIdx.x];\n"
                    "  for (int k = 0; k < n; ++k) {\n"
                    "    for (int j = 0; j < 300; ++j) x = x * x + 0.3f;\n"
                    "    x = " +
                    sum + ";\n  }\n  v[threadIdx.x] = x;\n}\n");
  };
  EXPECT_THAT(report(8), HasSubstr("write '0.318309886f' and '0.5f'\n"));
  EXPECT_THAT(report(1), Not(HasSubstr("double-in-float")));
}
