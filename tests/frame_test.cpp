#include "input_folder.h"
#include "kokkos.h"
#include "machine/frame.h"
#include "nvcc.h"
#include "nvcc/compile.h"
#include "program.h"
#include "test_paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string root = WARPLINT_SOURCE_DIR;

/// The kernels of `file` as nvcc compiles them: report, PTX and machine code.
std::vector<CompiledKernel> compiled(const std::string &file,
                                     const std::string &architecture,
                                     std::vector<std::string> flags = {}) {
  const std::string nvcc = nvccForTests();
  llvm::StringRef bin = llvm::sys::path::parent_path(nvcc);
  Toolkit toolkit;
  toolkit.root = llvm::sys::path::parent_path(bin).str();
  toolkit.nvcc = nvcc;
  std::vector<std::string> arguments = {nvcc, "-w", "-std=c++17", file};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  Command command{file, llvm::sys::path::parent_path(file).str(), arguments};
  Compiled result = compile(command, arguments, toolkit, {architecture});
  EXPECT_EQ(result.whyNot, "") << file;
  return result.units.empty() ? std::vector<CompiledKernel>()
                              : std::move(result.units[0].kernels);
}

std::vector<CompiledKernel> compiledText(llvm::StringRef text,
                                         const std::string &architecture,
                                         std::vector<std::string> flags = {}) {
  auto scratch = Scratch::create();
  if (!scratch) {
    ADD_FAILURE() << llvm::toString(scratch.takeError());
    return {};
  }
  writeFile(scratch->path("source.cu"), text);
  return compiled(scratch->path("source.cu"), architecture, std::move(flags));
}

unsigned sum(const Frame &frame) {
  unsigned bytes = 0;
  for (const FrameShare &share : frame.shares)
    bytes += share.bytes;
  return bytes;
}

/// By the beginning of its name.
Frame frameOfKernel(const std::vector<CompiledKernel> &kernels,
                    const std::string &name) {
  for (const CompiledKernel &kernel : kernels)
    if (llvm::StringRef(kernel.usage.kernel)
            .starts_with("_Z" + std::to_string(name.size()) + name))
      return frameOf(kernel, nullptr);
  ADD_FAILURE() << name;
  return {};
}

// --- the table
// -----------------------------------------------------------------

/// A kernel of the table: an array of `length` floats that its pattern reads or
/// writes at run-time indexes.
std::string kernelOf(const std::string &pattern, unsigned length) {
  const std::string n = std::to_string(length);
  auto indexed = [&](unsigned read) {
    return "a[idx[" + std::to_string(read) + " * n + i] % " + n + "]";
  };
  const std::string all =
      "  float s = 0;\n#pragma unroll\n  for (int k = 0; k < " + n +
      "; ++k)\n    s = s * 0.5f + a[k];\n  out[i] = s;\n";
  std::string body, helper;
  const unsigned count =
      llvm::isDigit(pattern.back()) ? pattern.back() - '0' : 0;
  if (pattern == "arg") // the index is an argument of the kernel
    body = "  out[i] = a[m];\n";
  else if (pattern == "lp") // one read in a loop that is not unrolled
    body = "  float s = 0;\n#pragma unroll 1\n  for (int k = 0; k < m; ++k)\n"
           "    s += a[idx[k * n + i] % " +
           n + "];\n  out[i] = s;\n";
  else if (pattern == "lpw") // one write in a loop
    body = "  for (int k = 0; k < m; ++k)\n    a[idx[k * n + i] % " + n +
           "] += 1.0f;\n" + all;
  else if (pattern == "byref") { // to a function, by reference
    helper = std::string("__device__ ") + (length == 3 ? "__noinline__ " : "") +
             "float add_" + n + "(float (&a)[" + n +
             "], int k) {\n  a[k] += 1;\n  return a[k];\n"
             "}\n";
    body = "  float s = add_" + n + "(a, idx[i] % " + n + ");\n  s += add_" +
           n + "(a, idx[n + i] % " + n + ");\n  out[i] = s;\n";
  } else if (pattern.starts_with("rd_R")) { // so many reads
    body = "  float s = 0;\n";
    for (unsigned read = 0; read < count; ++read)
      body += "  s += " + indexed(read) + ";\n";
    body += "  out[i] = s;\n";
  } else if (pattern.starts_with("wr_W")) { // so many writes
    for (unsigned write = 0; write < count; ++write)
      body += "  " + indexed(write) + " = " + std::to_string(write) + ";\n";
    body += all;
  }
  return helper + "__global__ void " + pattern + "_" + n +
         "(const float *in, const int *idx, float *out,\n"
         "                  int n, int m) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n)\n"
         "    return;\n  float a[" +
         n + "];\n#pragma unroll\n  for (int k = 0; k < " + n +
         "; ++k)\n    a[k] = in[k * n + i];\n" + body + "}\n\n";
}

struct Row {
  std::string pattern;
  unsigned length = 0, stack = 0;
  std::string kernel() const { return pattern + "_" + std::to_string(length); }
};

std::vector<Row> rows() {
  std::vector<Row> result;
  const std::string table = readFile(root + "/tests/local_promotion.csv");
  for (llvm::StringRef line : llvm::drop_begin(llvm::split(table, '\n'))) {
    llvm::SmallVector<llvm::StringRef> cells;
    line.split(cells, ',');
    if (cells.size() < 3)
      continue;
    Row &row = result.emplace_back();
    row.pattern = cells[0].str();
    cells[1].getAsInteger(10, row.length);
    cells[2].getAsInteger(10, row.stack);
  }
  return result;
}

// A short array may become registers and selects; if it does not, all of the
// frame is the array, and nobody looks for a spill that is not there.
TEST(Frame, EveryArrayOfTheTableIsFoundOrAbsent) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: no stack frame is shared out";
  std::string source;
  for (const Row &row : rows())
    source += kernelOf(row.pattern, row.length);
  const std::vector<CompiledKernel> kernels = compiledText(source, "sm_90");
  ASSERT_GE(rows().size(), 130u);
  for (const Row &row : rows()) {
    Frame frame = frameOfKernel(kernels, row.kernel());
    EXPECT_EQ(frame.bytes, row.stack) << row.kernel();
    EXPECT_EQ(sum(frame), frame.bytes) << row.kernel();
    EXPECT_EQ(frame.spills(), nullptr) << row.kernel();
    EXPECT_EQ(frame.of(FrameShare::Unknown), 0u) << row.kernel();
    // Without a source, an array is a variable that has no name.
    EXPECT_EQ(frame.of(FrameShare::Unnamed) + frame.of(FrameShare::Variable) +
                  frame.of(FrameShare::Alignment),
              row.stack)
        << row.kernel() << ": " << inWords(frame);
  }
}

// --- all parts of a frame
// ------------------------------------------------------

const char *const parts = R"(
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void __launch_bounds__(1024)
    both(const float *in, const int *ix, float *out, int n, int m) {
  int i = INDEX;
  float a[13], v[80];
  for (int k = 0; k < 13; ++k) a[k] = in[k * n + i + 7];
#pragma unroll
  for (int k = 0; k < 80; ++k) v[k] = in[k * n + i];
  for (int q = 0; q < m; ++q) {
    float t = a[ix[q * n + i] % 13u];
#pragma unroll
    for (int k = 0; k < 80; ++k) v[k] = v[k] * v[(k + 11) % 80] + t;
  }
#pragma unroll
  for (int k = 0; k < 80; ++k) out[k * n + i] = v[k];
}
__global__ void printed(const double *in, double *out) {
  int i = INDEX;
  double s = sin(in[i]);
  if (s > 0.9) printf("%d %f\n", i, s);
  out[i] = s;
}
__device__ int sum(int n, int a, int b, int c, int d, int e, int f, int g,
                   int h, int j, int k, int l, int m, int *p) {
  if (n <= 0) return a + b * c + d * e + f * g + h * j + k * l + m + *p;
  return sum(n - 1, b, c, d, e, f, g, h, j, k, l, m, a + n, p + 1) +
         sum(n - 2, a, c, d, e, f, g, h, j, k, l, m, b + n, p + 2);
}
__global__ void passes(const int *in, const int *ix, int *out, int *p, int m) {
  int i = INDEX;
  int a[20];
  for (int k = 0; k < 20; ++k) a[k] = in[k * 33 + i];
  int s = 0;
  for (int k = 0; k < m; ++k) s += a[ix[k] % 20u];
  out[i] = s + sum(in[i], in[1], in[2], in[3], in[4], in[5], in[6], in[7],
                   in[8], in[9], in[10], in[11], in[12], p);
}
__device__ __noinline__ float shortOne(const float *in, const int *ix, int n) {
  float a[8], s = 0;
  for (int k = 0; k < 8; ++k) a[k] = in[k * n];
  for (int k = 0; k < n; ++k) s += a[ix[k] & 7];
  return s;
}
__device__ __noinline__ float longOne(const float *in, const int *ix, int n) {
  float a[20], s = 0;
  for (int k = 0; k < 20; ++k) a[k] = in[k * n + 1];
  for (int k = 0; k < n; ++k) s += a[ix[k] % 20u];
  return s;
}
__global__ void siblings(const float *in, const int *ix, float *out, int n) {
  int i = INDEX;
  out[i] = shortOne(in + i, ix + i, n) + longOne(in + i, ix + i, n) +
           shortOne(in + 2 * i, ix, n) * longOne(in, ix + 2 * i, n);
}
struct Big { float v[40]; };
__device__ __noinline__ float takes(Big b, int k) {
  b.v[k] += 1;
  return b.v[k] + b.v[k + 1];
}
__global__ void copies(const Big *p, const int *ix, float *out) {
  int i = INDEX;
  out[i] = takes(p[i], ix[i]);
}
)";

class FrameParts : public testing::TestWithParam<const char *> {};

// The owner of the bytes decides the cure; a byte too few or too many misleads
// the user.
TEST_P(FrameParts, AreAttributedToTheByte) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: no stack frame is shared out";
  const std::vector<CompiledKernel> kernels = compiledText(parts, GetParam());
  for (CompiledKernel kernel : kernels) {
    const Frame frame = frameOf(kernel, nullptr);
    EXPECT_EQ(sum(frame), kernel.usage.stackFrame) << kernel.usage.kernel;
    EXPECT_EQ(frame.of(FrameShare::Unknown), 0u) << inWords(frame);
    // Releases before 12.8 mark no spill. What they moved still adds up.
    for (LocalInstruction &local : kernel.locals)
      local.isMarkedSpill = false;
    EXPECT_EQ(inWords(frameOf(kernel, nullptr)), inWords(frame))
        << kernel.usage.kernel;
  }
  Frame both = frameOfKernel(kernels, "both");
  // Some targets make selects of the array; its line still spills.
  EXPECT_THAT(both.of(FrameShare::Unnamed), testing::AnyOf(0u, 52u))
      << inWords(both);
  ASSERT_NE(both.spills(), nullptr);
  EXPECT_GE(both.spills()->bytes, 64u) << inWords(both);
  EXPECT_GT(both.spills()->stores, 0u);

  Frame printed = frameOfKernel(kernels, "printed");
  EXPECT_EQ(printed.of(FrameShare::Library), 40u) << inWords(printed);
  EXPECT_EQ(printed.of(FrameShare::Arguments), 16u) << inWords(printed);

  Frame passes = frameOfKernel(kernels, "passes");
  EXPECT_EQ(passes.of(FrameShare::Unnamed), 80u) << inWords(passes);
  EXPECT_EQ(passes.of(FrameShare::Arguments), 16u) << inWords(passes);
  ASSERT_EQ(passes.calls.size(), 1u);
  EXPECT_TRUE(passes.calls[0].isRecursive);
  EXPECT_EQ(passes.calls[0].name, "sum");
  EXPECT_GT(passes.calls[0].bytes, 0u);

  // Functions that do not call each other lie in the same bytes.
  Frame siblings = frameOfKernel(kernels, "siblings");
  EXPECT_EQ(siblings.bytes, 80u);
  EXPECT_EQ(siblings.of(FrameShare::Unnamed), 80u) << inWords(siblings);

  Frame copies = frameOfKernel(kernels, "copies");
  EXPECT_EQ(copies.of(FrameShare::Copy), 160u) << inWords(copies);
}

INSTANTIATE_TEST_SUITE_P(, FrameParts,
                         testing::Values("sm_75", "sm_80", "sm_90", "sm_100",
                                         "sm_120"));

// A library's own words for large arguments are nothing that the user wrote:
// the report says so, and what they cost.
TEST(Frame, TheWordsOfAFloatsSineAreTheLibrarys) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: no stack frame is shared out";
  InputFolder folder;
  const std::string head =
      "__device__ float wave(float x) { return sinf(x) + 1; }\n"
      "__global__ void k(const float *in, const int *ix, float *out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < n; ++k)\n";
  auto report = [&](const char *name, const std::string &body) {
    return runProgram(
               {"check", "--all", "--minor", "--no-cache", "--arch", "sm_90",
                folder.write(name, head + body + "  out[i] = sum;\n}\n")})
        .out;
  };
  EXPECT_THAT(
      report("sine.cu", "    sum += wave(in[k * 33 + i]) * cosf(in[k] + i);\n"),
      AllOf(HasSubstr("holds 28 bytes for the slow path of sin, cos or "
                      "tan of a float"),
            HasSubstr("large magnitude alone")));
  // Through the overload of a header, whose lines are not the user's.
  EXPECT_THAT(report("overload.cu",
                     "    sum += sin(in[k * 33 + i]) * cos(in[k] + i);\n"),
              AllOf(HasSubstr("tan of a float at line 6"),
                    Not(HasSubstr("without a name"))));
  // The function of a double's sine has no lines: no line of the user's.
  EXPECT_THAT(report("double.cu", "    sum += sin(double(in[k * 33 + i]));\n"),
              AllOf(HasSubstr("tan of a double"),
                    Not(HasSubstr("tan of a double at line 7"))));
  // Seven words of the user's.
  EXPECT_THAT(report("array.cu",
                     "    sum += in[k];\n"
                     "  int own[7];\n"
                     "  for (int k = 0; k < 7; ++k) own[k] = ix[k * 32 + i];\n"
                     "  for (int k = 0; k < n; ++k)\n"
                     "    sum += own[ix[k] % 7u]++;\n"),
              Not(HasSubstr("tan of a float")));
}

// With -rdc=true each function is compiled by itself, with a frame of its own.
TEST(Frame, RelocatableFramesHoldTheKernelsPartAlone) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: no stack frame is shared out";
  const std::vector<CompiledKernel> kernels =
      compiledText(parts, "sm_90", {"-rdc=true"});
  Frame siblings = frameOfKernel(kernels, "siblings");
  EXPECT_EQ(siblings.bytes, 0u);
  EXPECT_EQ(siblings.calls.size(), 2u);
  for (const CompiledKernel &kernel : kernels) {
    Frame frame = frameOf(kernel, nullptr);
    EXPECT_EQ(sum(frame), kernel.usage.stackFrame) << kernel.usage.kernel;
  }
}

/// The sources of the project itself.
std::vector<std::string> ownSources() {
  // Kernels of the other checks have no frame.
  std::vector<std::string> files = {root + "/fixtures/dynamic-local-array.cu",
                                    root + "/fixtures/register-spill.cu",
                                    root + "/fixtures/stack-frame.cu",
                                    root + "/kernels/dynamic-local-array.cu",
                                    root + "/kernels/heavy-branch.cu",
                                    root + "/kernels/register-spill.cu",
                                    root + "/kernels/tight-launch-bounds.cu"};
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(root + "/kernels/truth", error),
       end;
       file != end && !error; file.increment(error))
    if (auto text = llvm::MemoryBuffer::getFile(file->path());
        text && llvm::sys::path::extension(file->path()) == ".cu" &&
        // Kokkos wants flags of its own.
        !speaksOfKokkos((*text)->getBuffer()))
      files.push_back(file->path());
  llvm::sort(files);
  return files;
}

// Real programs, with everything that people write: each byte is somebody's,
// and what ptxas did not spill is not called a spill.
TEST(Frame, EveryByteOfEveryFrameHasAnOwner) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: no stack frame is shared out";
  unsigned frames = 0, kernels = 0;
  for (const std::string &file : ownSources())
    for (const CompiledKernel &kernel :
         compiled(file, "sm_90", {"--extended-lambda"})) {
      SCOPED_TRACE(file + ": " + kernel.usage.kernel);
      const Frame frame = frameOf(kernel, nullptr);
      unsigned spilled = kernel.usage.spillStores;
      for (const CalleeUsage &callee : kernel.usage.callees)
        spilled += callee.spillStores;
      EXPECT_EQ(sum(frame), kernel.usage.stackFrame);
      EXPECT_EQ(frame.of(FrameShare::Unknown), 0u) << inWords(frame);
      // Every byte that is spilled is stored at least once; by a function that
      // the report names behind the kernel, called by it or not, as it may be.
      EXPECT_LE(frame.of(FrameShare::Spill), spilled) << inWords(frame);
      if (kernel.usage.spillStores) {
        EXPECT_NE(frame.spills(), nullptr) << inWords(frame);
      }
      frames += frame.bytes != 0;
      ++kernels;
    }
  EXPECT_GT(frames, 20u);
  EXPECT_GT(kernels, 250u);
}

// --- without the compiler
// --------------------------------------------------------

CompiledKernel spilling() {
  CompiledKernel kernel;
  kernel.usage = {"k", "sm_90", 32, 72, 8, 8, 0, {}};
  LocalInstruction store, load;
  store.isStore = true;
  store.bytes = load.bytes = 8;
  store.frameOffset = load.frameOffset = 64;
  store.line = 3;
  load.line = 3;
  kernel.locals = {store, load};
  return kernel;
}

// No PTX, no word on what the lower 64 bytes are: neither a spill nor an array.
TEST(Frame, AmbiguousBytesHaveNoOwner) {
  Frame frame = frameOf(spilling(), nullptr);
  EXPECT_EQ(frame.of(FrameShare::Spill), 8u);
  EXPECT_EQ(frame.of(FrameShare::Unknown), 64u);
  EXPECT_EQ(inWords(frame),
            "64 of 72 bytes of the stack frame are not told apart; the other 8 "
            "are spills, at line 3");
}

// Two sets of variables would explain the size: no name is given to either.
TEST(Frame, TwoExplanationsGiveNoOwner) {
  CompiledKernel kernel;
  kernel.usage = {"k", "sm_90", 32, 64, 0, 0, 0, {}};
  LocalMemory top, first, second;
  top.function = "k";
  top.isKernel = true;
  top.calls = {"f", "g"};
  first.function = "f";
  second.function = "g";
  first.bytes = second.bytes = 64;
  kernel.memory = {top, first, second};
  Frame frame = frameOf(kernel, nullptr);
  EXPECT_EQ(frame.of(FrameShare::Unknown), 64u) << inWords(frame);
}

TEST(Frame, AKernelWithoutBytesHasNoFrame) {
  CompiledKernel kernel;
  Frame frame = frameOf(kernel, nullptr);
  EXPECT_TRUE(frame.shares.empty());
  EXPECT_EQ(inWords(frame), "");
}

} // namespace
