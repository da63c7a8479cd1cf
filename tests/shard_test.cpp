// A report that several machines have a share in is the one that a single
// machine would have made.
#include "input_folder.h"
#include "report/json.h"
#include "run/pipeline.h"
#include "run/shard.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>
#include <numeric>
#include <set>

using namespace warplint;
using testing::HasSubstr;

namespace {

std::string jsonOf(const Report &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printJson(report, true, out);
  return text;
}

class Shards : public testing::Test {
protected:
  void SetUp() override {
    options.command = CommandName::Check;
    options.sources.paths = {folder.path};
    options.compiling.judge = false;
    folder.write("kernel.cu",
                 "__global__ void k(float *out, const float *in) {\n"
                 "  int i = threadIdx.y * blockDim.x + threadIdx.x;\n"
                 "  out[i] = in[threadIdx.x * 8 + threadIdx.y];\n"
                 "}\n");
    // Launched from a source that is likely to be in another share.
    folder.write("main.cu",
                 "__global__ void k(float *out, const float *in);\n"
                 "void run(float *a, float *b) { k<<<1, dim3(64, 2)>>>(a, b); }"
                 "\n");
  }

  void addSourcesWithNotes() {
    folder.write(
        "helper.h",
        "__device__ inline float far(const float *in) {\n"
        "  // warplint: allow(strided-global-access) a gather by nature\n"
        "  return in[threadIdx.x * 32];\n"
        "}\n"
        "__device__ inline float near(const float *in) {\n"
        "  // warplint: allow(strided-global-access) no more\n"
        "  return in[threadIdx.x];\n"
        "}\n");
    for (const char *name : {"a.cu", "b.cu", "c.cu"})
      folder.write(name, "#include \"helper.h\"\n__global__ void " +
                             std::string(1, name[0]) +
                             "(float *out, const float *in) {\n"
                             "  out[threadIdx.x] = far(in) + near(in) + "
                             "in[threadIdx.x * 16];\n}\n");
    folder.write("broken.cu", "__global__ void k() { undeclared(); }\n");
  }

  std::string write(unsigned index, unsigned count) {
    Options own = options;
    own.check.shard = Shard{index, count};
    own.cache.folder = cache.path; // machines share what they have read
    auto part = checkShard(own);
    if (!part) {
      ADD_FAILURE() << llvm::toString(part.takeError());
      return "";
    }
    const std::string file =
        folder / (std::to_string(index) + "of" + std::to_string(count));
    llvm::Error error = saveShard(file, *part);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return file;
  }

  std::string merged(const std::vector<std::string> &files) {
    Options own = options;
    own.command = CommandName::Merge;
    own.sources.paths = files;
    auto all = merge(own, /*showsContext=*/false);
    return all ? jsonOf(all->report) : llvm::toString(all.takeError());
  }

  InputFolder folder, cache;
  Options options;
};

} // namespace

TEST_F(Shards, MergedShardsMatchASingleRun) {
  addSourcesWithNotes();
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  const std::string whole = jsonOf(*report);
  EXPECT_THAT(whole, HasSubstr("strided-global-access"));
  EXPECT_THAT(whole, HasSubstr("hides nothing any more"));
  EXPECT_THAT(whole, HasSubstr("64x2x1"));
  EXPECT_THAT(whole, HasSubstr("undeclared"));
  for (unsigned count : {1u, 2u, 3u, 9u}) {
    std::vector<std::string> files;
    for (unsigned index = count; index >= 1; --index)
      files.push_back(write(index, count));
    EXPECT_EQ(merged(files), whole) << count;
  }
}

// A page without what kernels take would look as if they took nothing.
TEST_F(Shards, ShardsHoldTheContextOfTheirFormat) {
  const std::string plain = write(1, 1);
  auto merged = mergeShards({plain}, /*showsContext=*/true);
  ASSERT_FALSE(bool(merged));
  EXPECT_THAT(llvm::toString(merged.takeError()),
              AllOf(HasSubstr("'" + plain + "' has nothing of what"),
                    HasSubstr("takes the same '--format'")));
}

TEST_F(Shards, AMissingShardIsReported) {
  const std::string first = write(1, 3), third = write(3, 3);
  EXPECT_EQ(merged({first, third}), "part 2 of 3 is missing");
  EXPECT_EQ(merged({third}), "parts 1 and 2 of 3 are missing");
  EXPECT_THAT(merged({first, first}), HasSubstr("are both part 1 of 3"));
  EXPECT_THAT(merged({first, write(2, 4)}),
              HasSubstr("are not parts of one report"));
}

TEST_F(Shards, ShardsOfAnotherTreeAreRejected) {
  const std::string first = write(1, 2);
  folder.write("later.cu", "__global__ void later() {}\n");
  EXPECT_THAT(merged({first, write(2, 2)}), HasSubstr("not parts of one"));
}

TEST_F(Shards, OtherFilesAreRejected) {
  const std::string first = write(1, 1);
  auto text = llvm::MemoryBuffer::getFile(first);
  ASSERT_TRUE(bool(text));
  const llvm::StringRef whole = (*text)->getBuffer();
  EXPECT_THAT(merged({folder / "none"}), HasSubstr("cannot be read"));
  EXPECT_THAT(merged({folder.write("text", "warp")}),
              HasSubstr("is no part of a report"));
  EXPECT_THAT(
      merged({folder.write("half", whole.take_front(whole.size() / 2))}),
      HasSubstr("is damaged or not whole"));
  EXPECT_THAT(merged({folder.write("old", "warplint shard\n0123\n")}),
              HasSubstr("another build of warplint"));
}

TEST(Shares, AreBalancedAndCoverEverySource) {
  std::vector<uint64_t> sizes;
  for (uint64_t i = 0; i < 1000; ++i)
    sizes.push_back(i * 7919 % 100'000);
  for (unsigned count : {1u, 3u, 16u}) {
    std::vector<unsigned> owners(sizes.size());
    std::vector<uint64_t> loads;
    for (unsigned index = 1; index <= count; ++index) {
      std::vector<bool> share = shareOf(sizes, {index, count});
      uint64_t load = 0;
      for (size_t i = 0; i < sizes.size(); ++i)
        if (share[i]) {
          ++owners[i];
          load += sizes[i];
        }
      loads.push_back(load);
    }
    EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), 1000);
    EXPECT_LT(*llvm::max_element(loads), 1.05 * *llvm::min_element(loads));
  }
  // More shares than sources: some machine has nothing to do.
  EXPECT_EQ(shareOf({5}, {2, 2}), std::vector<bool>{false});
}

// Shards that begin at a time would each read every source: 16 of them did not
// read 10,000 sources in the time in which one process reads them twice.
TEST(Shares, AreReadFirstAndTheOthersInAnotherOrderByEachShard) {
  std::vector<size_t> all(100);
  std::iota(all.begin(), all.end(), 0);
  std::vector<uint64_t> sizes(all.size(), 1);
  std::set<std::vector<size_t>> orders;
  for (unsigned index = 1; index <= 4; ++index) {
    const std::vector<bool> share = shareOf(sizes, {index, 4});
    std::vector<size_t> order = all;
    putShareFirst(order, share, {index, 4});
    for (size_t i = 0; i < 25; ++i) {
      EXPECT_TRUE(share[order[i]]);
      EXPECT_TRUE(i == 0 || order[i - 1] < order[i]) << "large ones first";
    }
    EXPECT_THAT(order, testing::UnorderedElementsAreArray(all));
    orders.insert({order.begin() + 25, order.begin() + 35});
  }
  EXPECT_EQ(orders.size(), 4u);
}
