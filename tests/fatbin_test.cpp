#include "input_folder.h"
#include "machine/cubin.h"
#include "machine/fatbin.h"
#include "nvcc.h"
#include "test_paths.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <random>

using namespace warplint;
using namespace llvm;

namespace {

const char *const source = R"(
__global__ void gather(float *out, const int *index, int n) {
  float t[40];
  for (int i = 0; i < n; ++i)
    t[index[i]] = out[i];
  out[threadIdx.x] = t[n];
}
)";

Expected<DeviceImages> tryRead(StringRef bytes) {
  return readDeviceImages(MemoryBufferRef(bytes, "x"));
}

DeviceImages read(StringRef bytes) {
  auto images = tryRead(bytes);
  if (images)
    return std::move(*images);
  ADD_FAILURE() << toString(images.takeError());
  return {};
}

std::string error(StringRef bytes) {
  auto images = tryRead(bytes);
  return images ? "" : toString(images.takeError());
}

/// "sm_80 gather", "compute_80 gather (a.o)": what is in each image. A kernel
/// of a cubin counts if it has its local accesses.
std::string describe(const DeviceImages &images) {
  std::string text;
  for (const DeviceImage &image : images.images) {
    text += image.architecture;
    if (image.isPtx) {
      EXPECT_TRUE(StringRef(image.bytes).ends_with("}\n\n") ||
                  StringRef(image.bytes).contains("\n"));
      if (StringRef(image.bytes).contains(".entry _Z6gatherPfPKii"))
        text += " gather";
    } else {
      auto cubin = readCubin({image.bytes, "image"});
      EXPECT_TRUE(!!cubin) << toString(cubin.takeError());
      for (const CubinFunction &function : cubin->functions)
        if (function.name == "_Z6gatherPfPKii" && !function.locals.empty())
          text += " gather";
      EXPECT_TRUE(
          StringRef(image.architecture).starts_with(cubin->architecture));
    }
    if (!image.member.empty())
      text += " (" + image.member + ")";
    text += "\n";
  }
  for (const std::string &sentence : images.notRead)
    text += sentence + "\n";
  return text;
}

class Built : public testing::Test {
protected:
  void SetUp() override {
    nvcc_ = nvccForTests();
    if (nvcc_.empty())
      GTEST_SKIP() << "NO NVCC: device code in real files is not tested";
    folder_.write("gather.cu", source);
    folder_.write("main.cu", "int main() {}\n");
  }

  /// Runs nvcc there and gives the file `result`; empty if it fails.
  std::string build(StringRef arguments, StringRef result) {
    std::string command = "cd " + folder_.path + " && " + nvcc_ + " -w " +
                          arguments.str() + " -o " + result.str() +
                          " >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return readFile(folder_ / result);
  }

  InputFolder folder_;
  std::string nvcc_;
};

// nvcc has compressed differently by release and by option; what cannot be
// unpacked is a kernel that nobody looks at.
TEST_F(Built, EveryCompressionModeIsRead) {
  for (const char *mode : {"none", "speed", "balance", "size", "default"})
    EXPECT_EQ(describe(read(
                  build("-c -gencode arch=compute_80,code=[sm_80,compute_80] "
                        "--compress-mode=" +
                            std::string(mode) + " gather.cu",
                        "gather.o"))),
              "sm_80 gather\ncompute_80 gather\n")
        << mode;
  EXPECT_EQ(
      describe(read(build("-c -gencode arch=compute_90a,"
                          "code=[sm_90a,compute_90a] -Xfatbin -compress-all "
                          "gather.cu",
                          "gather.o"))),
      "sm_90a gather\ncompute_90a gather\n");
}

TEST_F(Built, BareFatBinariesAndCubinsAreRead) {
  EXPECT_EQ(describe(read(build("-fatbin -gencode arch=compute_75,code=sm_75 "
                                "-gencode arch=compute_100f,code=sm_100f "
                                "gather.cu",
                                "gather.fatbin"))),
            "sm_75 gather\nsm_100f gather\n");
  EXPECT_EQ(describe(read(build("-cubin -arch=sm_120 gather.cu", "g.cubin"))),
            "sm_120 gather\n");
}

// The build's last step puts them all into one file; what is looked at then is
// what ships.
TEST_F(Built, LibrariesAndExecutablesAreRead) {
  build("-c -arch=sm_80 gather.cu", "gather.o");
  build("-c -rdc=true -gencode arch=compute_86,code=sm_86 gather.cu",
        "relocatable.o");
  EXPECT_EQ(describe(read(readFile(folder_ / "relocatable.o"))),
            "sm_86 gather\n");
  EXPECT_EQ(describe(read(build("-lib gather.o relocatable.o", "all.a"))),
            "sm_80 gather (gather.o)\ncompute_80 gather (gather.o)\n"
            "sm_86 gather (relocatable.o)\n");
  for (auto [options, file] :
       {std::pair("main.cu gather.o", "program"),
        {"-shared -Xcompiler -fPIC gather.cu -arch=sm_80", "library.so"}}) {
    std::string text = describe(read(build(options, file)));
    EXPECT_NE(text.find("sm_80 gather\ncompute_80 gather\n"), std::string::npos)
        << text;
  }
}

TEST_F(Built, LinkTimeCodeIsReported) {
  EXPECT_EQ(describe(read(build("-c -rdc=true -gencode "
                                "arch=compute_80,code=[sm_80,lto_80] "
                                "gather.cu",
                                "gather.o"))),
            "sm_80 gather\n"
            "'x' holds lto_80, which becomes machine code when it is linked\n");
}

TEST_F(Built, AnObjectWithoutDeviceCodeHasNoKernels) {
  folder_.write("host.cpp", "int f() { return 1; }\n");
  EXPECT_EQ(describe(read(build("-c host.cpp", "host.o"))), "");
}

TEST_F(Built, AThinArchiveNamesItsMembers) {
  build("-c -arch=sm_80 gather.cu", "gather.o");
  std::string command =
      "cd " + folder_.path + " && ar rcsT thin.a gather.o 2>/dev/null";
  if (std::system(command.c_str()) != 0)
    GTEST_SKIP() << "no ar that makes thin archives";
  EXPECT_EQ(error(readFile(folder_ / "thin.a")),
            "'x' is a thin archive, which only names its members; they can be "
            "read themselves");
}

/// Those that the fuzzer starts from are there without an nvcc, too.
std::string committed(StringRef name) {
  return readFile((WARPLINT_SOURCE_DIR "/fuzz/corpus/cubin/" + name).str());
}

std::string outline(const DeviceImages &images) {
  std::string text;
  for (const DeviceImage &image : images.images)
    text += image.architecture + " " + std::to_string(image.bytes.size()) +
            (image.member.empty() ? "" : " (" + image.member + ")") + "\n";
  for (const std::string &sentence : images.notRead)
    text += sentence + "\n";
  return text;
}

TEST(Fatbin, CommittedFatBinariesAreReadWithoutNvcc) {
  std::string plain = outline(read(committed("none.fatbin")));
  EXPECT_EQ(outline(read(committed("speed.fatbin"))), plain) << "LZ4";
  EXPECT_EQ(outline(read(committed("size.fatbin"))), plain) << "zstd";
  EXPECT_TRUE(StringRef(plain).starts_with("sm_80 ")) << plain;
  EXPECT_TRUE(StringRef(plain).contains("\ncompute_80 ")) << plain;
  std::string archive = outline(read(committed("archive.a")));
  EXPECT_TRUE(StringRef(archive).contains(" (r.o)\n")) << archive;
  EXPECT_TRUE(StringRef(archive).contains(
      "'x(l.o)' holds lto_80, which becomes machine code when it is linked\n"))
      << archive;
}

// A full disk leaves a part of a file: the kernels that are whole count, and
// nobody is told that the others are clean.
TEST(Fatbin, CompletePartsOfATruncatedFileAreRead) {
  std::string whole = committed("none.fatbin");
  std::string cut = outline(read(StringRef(whole).drop_back(100)));
  EXPECT_TRUE(StringRef(cut).starts_with("sm_80 ")) << cut;
  EXPECT_TRUE(
      StringRef(cut).ends_with("a fat binary of 'x' is cut off or damaged\n"))
      << cut;
  EXPECT_FALSE(StringRef(cut).contains("compute_80")) << cut;
}

TEST(Fatbin, ImpossibleSizesAreRejected) {
  std::string packed = committed("size.fatbin");
  support::endian::write64le(&packed[16 + 56], uint64_t(1) << 40);
  std::string text = outline(read(packed));
  EXPECT_TRUE(StringRef(text).contains(
      "the code for sm_80 in 'x' has sizes that cannot be\n"))
      << text;
  EXPECT_TRUE(StringRef(text).contains("compute_80 ")) << text;
  packed = committed("size.fatbin");
  packed[16 + 64 + 40] ^= 0x55;
  packed[16 + 64 + 41] ^= 0x55;
  text = outline(read(packed));
  EXPECT_TRUE(StringRef(text).contains("compute_80 ")) << text;
}

TEST(Fatbin, UnknownCodeIsNamed) {
  std::string bytes = committed("none.fatbin");
  bytes[16] = 77;
  EXPECT_TRUE(StringRef(outline(read(bytes)))
                  .contains("'x' holds code for sm_80 of kind 77, which is not "
                            "known\n"));
}

TEST(Fatbin, DamagedFilesNeverCrash) {
  std::mt19937 random(1);
  for (const char *name : {"none.fatbin", "speed.fatbin", "size.fatbin",
                           "object.o", "archive.a", "library.so"}) {
    std::string whole = committed(name);
    ASSERT_FALSE(whole.empty()) << name;
    for (int round = 0; round < 300; ++round) {
      std::string broken = whole;
      for (int i = 0; i < 1 + round % 20; ++i)
        broken[random() % broken.size()] = char(random());
      (void)error(broken);
      (void)error(StringRef(whole).take_front(random() % whole.size()));
    }
  }
}

TEST(Fatbin, OtherFilesAreRejected) {
  EXPECT_EQ(error("__global__ void k() {}"),
            "'x' is no object, archive, library, executable, fat binary or "
            "cubin");
  EXPECT_EQ(error(""), "'x' is no object, archive, library, executable, fat "
                       "binary or cubin");
  std::string coff("\x64\x86", 2);
  coff.resize(64);
  EXPECT_EQ(error(coff), "'x' is a Windows file, which is not read");
  std::string machO("\xcf\xfa\xed\xfe\x0c\x00\x00\x01\x00\x00\x00\x00\x01", 13);
  machO.resize(64);
  EXPECT_EQ(error(machO), "'x' is a macOS file, which is not read");
}

} // namespace
