// Tests whether two versions of a kernel store the same: right rewrites are
// equal, and every mutated one is found out.
#include "fixes/edits.h"
#include "fixes/same_stores.h"
#include "fixes/source_tokens.h"
#include "nvcc.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

using namespace warplint;

namespace {

/// A kernel, what its fix makes of it, and its block.
struct Rewrite {
  const char *title, *before, *after;
  Shape block;
  bool isRounded = false;
};

const Rewrite rewrites[] = {
    {"one store after the loop",
     R"(
extern "C" __global__ void NAME(float *a, const float *b, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < turns; ++k)
      a[i] += b[k * n + i] * 3;
}
)",
     R"(
extern "C" __global__ void NAME(float *a, const float *b, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    { if (0 < turns) {
      auto a_value = a[i];
      for (int k = 0; k < turns; ++k)
        a_value += b[k * n + i] * 3;
      a[i] = a_value;
    } }
}
)",
     {64, 1, 1}},
    {"a padded tile",
     R"(
extern "C" __global__ void NAME(const float *in, float *out, int n) {
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x] + 1;
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * n + y] =
      tile[threadIdx.x][threadIdx.y] - 2 * tile[threadIdx.y][threadIdx.x];
}
)",
     R"(
extern "C" __global__ void NAME(const float *in, float *out, int n) {
  __shared__ float tile[16][16 + 1];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x] + 1;
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * n + y] =
      tile[threadIdx.x][threadIdx.y] - 2 * tile[threadIdx.y][threadIdx.x];
}
)",
     {16, 16, 1}},
    {"an unrolled loop over a local array",
     R"(
extern "C" __global__ void NAME(const int *key, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[6] = {}, total = 0;
#pragma unroll 1
  for (int k = 0; k < 6; ++k) {
    sum[k] = key[i * 6 + k] * 2 + k;
    total += sum[k];
  }
#pragma unroll 1
  for (int k = 1; k < 6; ++k)
    out[i * 6 + k] = sum[k] - sum[k - 1] / (n + 3) - total;
}
)",
     R"(
extern "C" __global__ void NAME(const int *key, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[6] = {}, total = 0;
#pragma unroll
  for (int k = 0; k < 6; ++k) {
    sum[k] = key[i * 6 + k] * 2 + k;
    total += sum[k];
  }
#pragma unroll
  for (int k = 1; k < 6; ++k)
    out[i * 6 + k] = sum[k] - sum[k - 1] / (n + 3) - total;
}
)",
     {64, 1, 1}},
    {"a reduction over padded rows",
     R"(
extern "C" __global__ void NAME(const float *in, float *out, int n) {
  __shared__ float part[4][32];
  int lane = threadIdx.x % 32, row = threadIdx.x / 32;
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 128)
    sum += in[k] * in[k + 1];
  part[row][lane] = sum;
  __syncthreads();
  for (int s = 16; s > 0; s = s / 2) {
    if (lane < s)
      part[row][lane] += part[row][lane + s];
    __syncthreads();
  }
  if (lane == 0)
    out[blockIdx.x * 4 + row] = part[row][lane];
}
)",
     R"(
extern "C" __global__ void NAME(const float *in, float *out, int n) {
  __shared__ float part[4][32 + 1];
  int lane = threadIdx.x % 32, row = threadIdx.x / 32;
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 128)
    sum += in[k] * in[k + 1];
  part[row][lane] = sum;
  __syncthreads();
  for (int s = 16; s > 0; s = s / 2) {
    if (lane < s)
      part[row][lane] += part[row][lane + s];
    __syncthreads();
  }
  if (lane == 0)
    out[blockIdx.x * 4 + row] = part[row][lane];
}
)",
     {128, 1, 1}},
    {"an exchange within warps",
     R"(
extern "C" __global__ void NAME(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k)
    out[i] = out[i] * 2 + in[k * 64 + i];
  float sum = out[i];
  for (int d = 16; d > 0; d = d / 2)
    sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0)
    out[i] = sum - 1;
}
)",
     R"(
extern "C" __global__ void NAME(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (0 < n) {
    auto out_value = out[i];
    for (int k = 0; k < n; ++k)
      out_value = out_value * 2 + in[k * 64 + i];
    out[i] = out_value;
  }
  float sum = out[i];
  for (int d = 16; d > 0; d = d / 2)
    sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0)
    out[i] = sum - 1;
}
)",
     {64, 1, 1}},
    {"elements loaded before the loop",
     R"(
extern "C" __global__ void NAME(float *out, const float *in, const float *by, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < turns; ++k)
    out[i * turns + k] = in[i * turns + k] * by[i + 2] - by[blockIdx.x];
}
)",
     R"(
extern "C" __global__ void NAME(float *out, const float *in, const float *by, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (0 < turns) {
    const auto by_value = by[i + 2];
    const auto by_value2 = by[blockIdx.x];
    for (int k = 0; k < turns; ++k)
      out[i * turns + k] = in[i * turns + k] * by_value - by_value2;
  }
}
)",
     {64, 1, 1}},
    {"elements that a loop chooses",
     R"(
extern "C" __global__ void NAME(const int *key, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float part[8];
#pragma unroll
  for (int slot = 0; slot < 8; ++slot)
    part[slot] = in[i * 8 + slot];
  part[key[i] & 7] += in[i + 2];
  out[i * 9] = part[key[i + 1] & 7] - n;
#pragma unroll
  for (int slot = 0; slot < 8; ++slot)
    out[i * 9 + slot + 1] = part[slot];
}
)",
     R"(
extern "C" __global__ void NAME(const int *key, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float part[8];
#pragma unroll
  for (int slot = 0; slot < 8; ++slot)
    part[slot] = in[i * 8 + slot];
  const auto part_index = key[i] & 7;
#pragma unroll
  for (int element = 0; element < 8; ++element)
    if (element == part_index)
      part[element] += in[i + 2];
  const auto part_index2 = key[i + 1] & 7;
  auto part_value = part[0];
#pragma unroll
  for (int element = 1; element < 8; ++element)
    if (element == part_index2)
      part_value = part[element];
  out[i * 9] = part_value - n;
#pragma unroll
  for (int slot = 0; slot < 8; ++slot)
    out[i * 9 + slot + 1] = part[slot];
}
)",
     {64, 1, 1}},
    {"products and roots in place of powers",
     R"(
extern "C" __global__ void NAME(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = fabsf(in[i]) + 1;
  out[i] = powf(x, 3.0f) + powf(in[i + 1] * 2 - x, 2.0f) / powf(x, 0.5f);
}
)",
     R"(
extern "C" __global__ void NAME(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = fabsf(in[i]) + 1;
  const auto base = in[i + 1] * 2 - x;
  out[i] = x * x * x + base * base / sqrtf(x);
}
)",
     {64, 1, 1},
     true},
    {"a product in place of a power of doubles",
     R"(
extern "C" __global__ void NAME(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = in[i] * 2;
  out[i] = pow(x, 2.0) + pow(x * x + 1, -1.0) - n;
}
)",
     R"(
extern "C" __global__ void NAME(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = in[i] * 2;
  out[i] = x * x + 1.0 / (x * x + 1) - n;
}
)",
     {64, 1, 1},
     true},
};

std::string named(std::string text, const std::string &name) {
  const size_t at = text.find("NAME");
  return text.replace(at, 4, name);
}

std::string numbered(size_t i) {
  std::string digits = std::to_string(i);
  return "kernel_" + std::string(4 - digits.size(), '0') + digits;
}

/// The statement around a token, [first, last).
std::pair<unsigned, unsigned> statementAround(const SourceTokens &tokens,
                                              unsigned at) {
  unsigned first = at, last = at;
  while (first && !tokens.is(first - 1, ";") && !tokens.is(first - 1, "{") &&
         !tokens.is(first - 1, "}"))
    --first;
  while (!tokens.is(last, ";"))
    ++last;
  return {first, last + 1};
}

bool isNumber(llvm::StringRef word) {
  unsigned number;
  return !word.getAsInteger(10, number);
}

/// The text with one token wrong, or one statement left out: off by one, a
/// swapped or another operator, another index, a barrier or store that is
/// missing. What a mutant must not change is left alone: the extents of arrays,
/// and a comparison whose two sides never meet.
std::vector<std::string> mutantsOf(const std::string &text) {
  const SourceTokens tokens("a.cu", text);
  std::vector<std::string> mutants;
  auto add = [&](unsigned first, unsigned last, const std::string &now) {
    const Edit edit = replace(tokens, first, last, now);
    mutants.push_back(applied(text, edit));
  };
  unsigned body = 0;
  while (!tokens.is(body, "{"))
    ++body;
  for (unsigned i = body; i < tokens.size(); ++i) {
    if (tokens.isDirective(i))
      continue;
    const llvm::StringRef word = tokens.textOf(i);
    const auto [first, last] = tokens.is(i, "}") || i + 1 == tokens.size()
                                   ? std::pair(i, i)
                                   : statementAround(tokens, i);
    if (tokens.is(first, "__shared__") || tokens.is(first, "element") ||
        tokens.is(first, "slot") ||
        tokens.textOf(first, last).contains("sum[6]") ||
        tokens.textOf(first, last).contains("part[8]"))
      continue;
    if (isNumber(word))
      add(i, i + 1, std::to_string(std::stoi(word.str()) + 1));
    else if (word == "+=")
      add(i, i + 1, "-=");
    else if (word == "+")
      add(i, i + 1, "-");
    else if (word == "-")
      add(i, i + 1, "+");
    else if (word == "*")
      add(i, i + 1, "+");
    else if (word == "<" && tokens.is(i - 1, "k"))
      add(i, i + 1, "<=");
    else if (word == "y" || word == "x") {
      if (tokens.is(i - 1, "."))
        add(i, i + 1, word == "x" ? "y" : "x");
    } else if (word == "__syncthreads") {
      add(i, i + 4, "");
      mutants.back().insert(tokens[i].begin, ";");
    }
    // An assignment that is a statement of its own.
    if (i == first && last > first && tokens.is(last - 1, ";") &&
        (tokens.textOf(first, last).contains(" = ") ||
         tokens.textOf(first, last).contains("+=")) &&
        tokens.is(first + 1, "["))
      add(first, last, ";");
  }
  return mutants;
}

class SameStores : public testing::TestWithParam<Rewrite> {
protected:
  /// The PTX of all texts in one source; each is named by its number.
  std::string compiled(const std::vector<std::string> &texts) {
    std::string source;
    for (size_t i = 0; i < texts.size(); ++i)
      source += named(texts[i], numbered(i));
    return compileForTests(nvccForTests(), source, "-ptx", "sm_90",
                           /*lineinfo=*/false);
  }

  /// Compares the first kernel of the text with another one.
  StoreComparison compare(const std::string &ptx, size_t other) const {
    std::string after = ptx;
    auto rename = [&](const std::string &from, const std::string &to) {
      for (size_t at = 0; (at = after.find(from, at)) != after.npos;
           at += to.size())
        after.replace(at, from.size(), to);
    };
    rename(numbered(0), "kernel_gone");
    rename(numbered(other), numbered(0));
    const ComparedKernel kernel{numbered(0), numbered(0), GetParam().block};
    return compareStores(ptx, after, kernel, GetParam().isRounded);
  }
};

TEST_P(SameStores, TheFixIsEqualAndItsMutantsAreNot) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: nothing makes PTX to compare";
  std::vector<std::string> texts = {GetParam().before, GetParam().after};
  llvm::append_range(texts, mutantsOf(GetParam().after));
  const std::string ptx = compiled(texts);
  ASSERT_FALSE(ptx.empty());
  const StoreComparison fix = compare(ptx, 1);
  EXPECT_EQ(fix.result, Sameness::Same) << GetParam().title << ": " << fix.why;
  for (size_t i = 2; i < texts.size(); ++i)
    EXPECT_NE(compare(ptx, i).result, Sameness::Same) << texts[i];
}

// An integer that is off by one is no matter of rounding.
TEST(SameStoresOfRounded, IntegersHaveToBeEqual) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: nothing makes PTX to compare";
  const auto ptxOf = [](const std::string &value) {
    return compileForTests(
        nvccForTests(),
        "extern \"C\" __global__ void k(int *out, float *real) {\n"
        "  out[threadIdx.x] = threadIdx.x * 3 + " +
            value + ";\n  real[threadIdx.x] = threadIdx.x * 1.5f;\n}\n",
        "-ptx", "sm_90", /*lineinfo=*/false);
  };
  const ComparedKernel kernel{"k", "k", {32, 1, 1}};
  EXPECT_EQ(compareStores(ptxOf("7"), ptxOf("8"), kernel, true).result,
            Sameness::Differs);
}

TEST(Mutants, AreMoreThanAHundred) {
  size_t all = 0;
  for (const Rewrite &rewrite : rewrites)
    all += mutantsOf(rewrite.after).size();
  EXPECT_GE(all, 100u);
}

INSTANTIATE_TEST_SUITE_P(Of, SameStores, testing::ValuesIn(rewrites),
                         [](const auto &info) {
                           std::string title = info.param.title;
                           std::replace(title.begin(), title.end(), ' ', '_');
                           return title;
                         });

} // namespace
