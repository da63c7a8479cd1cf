// Records restore what was stored. One that somebody forged decodes to a value
// that the next stage can use, or to nothing.
#include "cache/record.h"
#include "cache/store.h"
#include "fuzz/targets.h"
#include "input_folder.h"
#include "mutated.h"
#include "read_text.h"
#include "run/run_cache.h"
#include "run/shard.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/thread.h"
#include "llvm/Support/xxhash.h"
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

SourceModel model() {
  return readText(R"(
    struct Rows { const float *data; int ld; };
    __global__ void __launch_bounds__(128) k(float *out, Rows rows, int n) {
      __shared__ float tile[32][32];
      float own[4];
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      for (int j = 0; j < n; ++j) {
        own[j & 3] = rows.data[i * rows.ld + j];
        if (i % 2) tile[threadIdx.x][j & 31] = own[(j + 1) & 3];
      }
      __syncthreads();
      if (i < n) atomicAdd(&out[i], tile[0][threadIdx.x]);
    }
    void run(float *a, Rows b) { k<<<4, dim3(32, 4), 128>>>(a, b, 10); })");
}

Finding finding(const char *check = "strided-global-access") {
  Finding finding;
  finding.check = check;
  finding.place = {"/p/a.cu", 3, 4};
  finding.callSites = {{"/p/b.cu", 1, 2}};
  finding.message = "a message";
  finding.notes = {"one", "two"};
  finding.fix = "a fix";
  finding.about = "a[i]";
  finding.weight = 3;
  FindingKernel kernel;
  kernel.name = "k<float>";
  kernel.mangled = "_Z1kIfEvv";
  kernel.architecture = "sm_90";
  kernel.judgement = {Verdict::Confirmed, "the PTX has it"};
  finding.kernels = {kernel};
  return finding;
}

Linted linted() { return {{finding(), finding("register-spill")}, {}}; }

ShardReport shard() {
  ShardReport report;
  report.program = "this one";
  report.total = 2;
  report.places = {1, 0};
  for (const char *name : {"/p/a.cu", "/p/b.cu"}) {
    SourceOutcome source;
    source.source = name;
    source.outline = model().outline;
    source.linted = linted();
    source.enabled = {"register-spill", "strided-global-access"};
    source.reported = {"/p/a.cu"};
    source.uselessLevel = Level::Likely;
    report.outcomes.sources.push_back(source);
  }
  ReportContext context;
  Figure figure;
  figure.place = {"/p/a.cu", 3, 4};
  figure.kernels = {"k"};
  context.figures = {figure};
  report.context = context;
  return report;
}

CompiledUnit unit() {
  CompiledUnit unit;
  unit.architecture = "sm_90";
  CompiledKernel kernel;
  kernel.usage.kernel = "k";
  kernel.usage.registers = 32;
  kernel.usage.stackFrame = 64;
  kernel.usage.spillStores = kernel.usage.spillLoads = 8;
  kernel.usage.callees = {{"f", 16, 0, 0}};
  kernel.locals = {{true, "/p/a.cu", 3, 4, 16}, {false, "/p/a.cu", 4, 4, 60}};
  kernel.shared = {{true, 4, "/p/a.cu", 9}};
  LocalMemory memory;
  memory.function = "k";
  memory.isKernel = true;
  memory.bytes = 48;
  memory.alignment = 8;
  LocalPiece piece;
  piece.bytes = 48;
  piece.places = {{"/p/a.cu", 3, 1}};
  memory.pieces = {piece};
  memory.calls = {"f"};
  LocalMemory callee;
  callee.function = "f";
  callee.bytes = 16;
  kernel.memory = {memory, callee};
  unit.kernels = {kernel};
  unit.ptx = ".version 8.0";
  return unit;
}

struct Kind {
  char letter;
  std::string bytes;
};

std::vector<Kind> kinds() {
  CachedRead read;
  read.system = "key";
  read.own = {"/p/a.cu", "/p/b.h"};
  read.outline = model().outline;
  return {{'m', toRecord(model())},
          {'r', toRecord(ReadResult{model(), {"key"}})},
          {'o', toRecord(read)},
          {'l', toRecord(linted())},
          {'s', toRecord(shard())},
          {'c', toRecord(unit())},
          {'f', toRecord(std::vector<std::string>{"one", "two", "three"})},
          {'k', toRecord(model().outline.launches)}};
}

/// Runs `work` in a child process with a limit of memory and of time; returns
/// how it ended.
std::string endOf(llvm::function_ref<void()> work) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit memory = {uint64_t(3) << 30, uint64_t(3) << 30};
    setrlimit(RLIMIT_AS, &memory);
    alarm(300);
    llvm::thread(std::optional<unsigned>(256u << 20), [&] { work(); }).join();
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    _exit(used.ru_maxrss > (2 << 20) ? 3 : 0); // kilobytes
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return strsignal(WTERMSIG(status));
  return WEXITSTATUS(status) ? "more than 2 GiB" : "";
}

} // namespace

// Findings depend on a model's nodes, shapes, names and places, so a record
// must restore all of them.
TEST(Records, AModelIsRestoredWhole) {
  const SourceModel model = ::model();
  ASSERT_EQ(model.kernels.size(), 1u);
  ASSERT_FALSE(model.outline.launches.empty());
  const std::string bytes = toRecord(model);
  auto back = fromRecord<SourceModel>(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(toRecord(*back), bytes);
  const Kernel &was = model.kernels[0], &is = back->kernels[0];
  EXPECT_EQ(is.name, was.name);
  EXPECT_EQ(is.place, was.place);
  ASSERT_EQ(is.graph.size(), was.graph.size());
  ASSERT_EQ(is.accesses.size(), was.accesses.size());
  for (size_t i = 0; i < is.accesses.size(); ++i)
    EXPECT_EQ(is.accesses[i].text, was.accesses[i].text);
  EXPECT_EQ(back->outline.launches[0].block, model.outline.launches[0].block);
}

TEST(Records, OtherBytesAreRejected) {
  const std::string bytes =
      toRecord(std::vector<std::string>{"one", "two", "three"});
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(fromRecord<std::vector<std::string>>(
        llvm::StringRef(bytes).take_front(size)));
  EXPECT_FALSE(fromRecord<SourceModel>(std::string(64, '\xff')));
}

TEST(Records, ADecodedMutationPassesThroughTheNextStage) {
  for (const Kind &kind : kinds()) {
    fuzzRecord(kind.letter + kind.bytes);
    EXPECT_EQ(endOf([&] {
                std::mt19937 random(kind.letter);
                for (unsigned i = 0; i < 500; ++i)
                  fuzzRecord(kind.letter + mutated(kind.bytes, random));
              }),
              "")
        << kind.letter;
  }
}

// A reader of levels and verdicts indexes by them, and looks the check up.
TEST(Records, AForgedFindingIsAMiss) {
  EXPECT_TRUE(fromRecord<Linted>(toRecord(linted())));
  auto isRead = [](llvm::function_ref<void(Finding &)> forge) {
    Linted forged = linted();
    forge(forged.findings[1]);
    return fromRecord<Linted>(toRecord(forged)).has_value();
  };
  EXPECT_TRUE(isRead([](Finding &) {}));
  EXPECT_FALSE(isRead([](Finding &f) { f.check = "no-such-check"; }));
  EXPECT_FALSE(isRead([](Finding &f) { f.check = "useless-allow"; }));
  EXPECT_FALSE(isRead([](Finding &f) { f.level = Level(3); }));
  EXPECT_FALSE(isRead([](Finding &f) { f.level = Level(-1); }));
  EXPECT_FALSE(
      isRead([](Finding &f) { f.kernels[0].judgement.verdict = Verdict(7); }));
  EXPECT_FALSE(isRead([](Finding &f) { f.weight = std::nan(""); }));
}

TEST(Records, AForgedShardIsAMiss) {
  auto isRead = [](llvm::function_ref<void(ShardReport &)> forge) {
    ShardReport forged = shard();
    forge(forged);
    return fromRecord<ShardReport>(toRecord(forged)).has_value();
  };
  EXPECT_TRUE(isRead([](ShardReport &) {}));
  EXPECT_FALSE(isRead([](ShardReport &s) { s.index = 0; }));
  EXPECT_FALSE(isRead([](ShardReport &s) { s.index = 2; }));
  EXPECT_FALSE(isRead([](ShardReport &s) { s.count = ~0u; }));
  EXPECT_FALSE(isRead([](ShardReport &s) { s.places[0] = 2; }));
  EXPECT_FALSE(isRead([](ShardReport &s) { s.places.pop_back(); }));
  EXPECT_FALSE(isRead([](ShardReport &s) {
    s.outcomes.sources[0].linted.findings[0].check = "x";
  }));
  EXPECT_FALSE(isRead(
      [](ShardReport &s) { s.outcomes.sources[0].uselessLevel = Level(9); }));
  EXPECT_FALSE(
      isRead([](ShardReport &s) { s.context->figures[0].space = Space(99); }));
}

// Entries for that many sources would not fit into the memory.
TEST(Records, ATotalThatNoShardsHaveIsRefused) {
  ShardReport forged = shard();
  forged.total = uint64_t(1) << 60;
  auto merged = mergeShards({forged}, {std::string("a")}, false);
  ASSERT_FALSE(!!merged);
  EXPECT_THAT(llvm::toString(merged.takeError()),
              HasSubstr("the parts have 2 sources of 1152921504606846976"));
}

// A frame is laid out byte by byte.
TEST(Records, AForgedFrameIsAMiss) {
  auto isRead = [](llvm::function_ref<void(CompiledKernel &)> forge) {
    CompiledUnit forged = unit();
    forge(forged.kernels[0]);
    return fromRecord<CompiledUnit>(toRecord(forged)).has_value();
  };
  EXPECT_TRUE(isRead([](CompiledKernel &) {}));
  EXPECT_FALSE(isRead([](CompiledKernel &k) { k.usage.stackFrame = ~0u; }));
  EXPECT_FALSE(isRead([](CompiledKernel &k) { k.memory[0].alignment = 0; }));
  EXPECT_FALSE(isRead([](CompiledKernel &k) { k.memory[0].alignment = 3; }));
  EXPECT_FALSE(isRead([](CompiledKernel &k) { k.memory[0].bytes = ~0u; }));
  EXPECT_FALSE(
      isRead([](CompiledKernel &k) { k.memory[0].pieces[0].offset = ~0u; }));
  EXPECT_FALSE(
      isRead([](CompiledKernel &k) { k.locals[0].frameOffset = INT_MIN; }));
}

TEST(Records, AForgedModelInAnAnswerIsAMiss) {
  ReadResult forged{model(), {"key"}};
  EXPECT_TRUE(fromRecord<ReadResult>(toRecord(forged)));
  forged.model.kernels[0].accesses[0].address = 1 << 30;
  EXPECT_FALSE(fromRecord<ReadResult>(toRecord(forged)));
}

// The answer has the bytes of the cache's record, which are made once.
TEST(Records, AnAnswerIsTheModelAndWhatIsSaidOfIt) {
  const SourceModel one = model();
  EXPECT_EQ(toRecord(ReadResult{one, {"key", 5}}),
            toRecord(one) + toRecord(ReadEnd{"key", 5}));
}

// 44 bytes that declare a record of 2^46 ended each reader.
TEST(Records, ADeclaredSizeIsNotBelieved) {
  InputFolder folder;
  const Store store(folder / "cache");
  store.put("a", std::string(1 << 20, 'x'));
  std::error_code error;
  const std::string file =
      llvm::sys::fs::directory_iterator(store.folder(), error)->path();
  auto whole = llvm::MemoryBuffer::getFile(file);
  ASSERT_TRUE(!!whole);
  for (uint64_t size : {uint64_t(1) << 46, uint64_t(257) << 20}) {
    std::string forged = (*whole)->getBuffer().str();
    llvm::support::endian::write64le(&forged[8], size);
    llvm::support::endian::write64le(
        &forged[0], llvm::xxh3_64bits(llvm::arrayRefFromStringRef(
                        llvm::StringRef(forged).drop_front(8))));
    folder.write("cache/" + llvm::sys::path::filename(file).str(), forged);
    EXPECT_EQ(endOf([&] {
                if (store.get("a"))
                  abort();
              }),
              "");
  }
}

// Elements in memory take many times their bytes in a record.
TEST(Records, ARecordOfManySmallElementsIsAMiss) {
  std::string bytes(160 << 20, '\0'); // empty strings, 8 bytes each
  llvm::support::endian::write64le(&bytes[0], bytes.size() / 8 - 1);
  EXPECT_TRUE(fromRecord<std::vector<std::string>>(
      llvm::StringRef("\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16)));
  EXPECT_TRUE(fromRecord<std::vector<std::string>>(bytes));
  bytes.resize(300 << 20);
  llvm::support::endian::write64le(&bytes[0], bytes.size() / 8 - 1);
  EXPECT_FALSE(fromRecord<std::vector<std::string>>(bytes));
}
