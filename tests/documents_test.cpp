// An editor's documents, without an editor: what is linted again, and when.
#include "input_folder.h"
#include "lsp/documents.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <poll.h>
#include <set>

using namespace warplint;

namespace {

const std::string strided = "__global__ void k(float *a, const float *b) {\n"
                            "  int i = threadIdx.x;\n"
                            "  a[i] = b[i * 32];\n"
                            "}\n";
const std::string plain = "__global__ void k(float *a, const float *b) {\n"
                          "  int i = threadIdx.x;\n"
                          "  a[i] = b[i];\n"
                          "}\n";

Options withoutJudge() {
  Options options;
  options.compiling.judge = false;
  options.limits.threads = 1;
  return options;
}

struct OpenDocuments : testing::Test, Documents::Listener {
  InputFolder folder;
  std::set<std::string> published;
  std::vector<std::string> loud;
  Documents documents{withoutJudge(), *this};

  void publish(const std::string &file) override { published.insert(file); }
  void say(const std::string &text, bool isLoud) override {
    if (isLoud)
      loud.push_back(text);
  }

  void open(const std::string &file, const std::string &text) {
    auto uri = llvm::lsp::URIForFile::fromFile(file);
    ASSERT_TRUE(bool(uri)) << llvm::toString(uri.takeError());
    llvm::lsp::TextDocumentItem item;
    item.uri = *uri;
    item.languageId = "cuda-cpp";
    item.text = text;
    item.version = 1;
    documents.open(file, item);
  }
  /// Goes on until the results of the document are those of its text.
  bool settle(const std::string &file) {
    const auto last = Clock::now() + std::chrono::minutes(2);
    while (Clock::now() < last) {
      documents.step();
      const Document *document = documents.find(file);
      if (document && document->isCurrent() && !document->run &&
          !document->wantsReading)
        return true;
      std::vector<pollfd> files;
      for (int each : documents.files())
        files.push_back({each, POLLIN, 0});
      poll(files.data(), files.size(), 20);
    }
    return false;
  }
  bool isReported(const std::string &file) const {
    return llvm::any_of(documents.diagnosticsOf(file),
                        [](const EditorDiagnostic &one) {
                          return one.code == "strided-global-access";
                        });
  }
};

} // namespace

TEST_F(OpenDocuments, ADocumentIsLintedAndItsFileIsTold) {
  const std::string file = folder.write("a.cu", strided);
  open(file, strided);
  EXPECT_FALSE(documents.find(file)->isCurrent());
  ASSERT_TRUE(settle(file));
  EXPECT_TRUE(isReported(file));
  EXPECT_TRUE(published.count(file));
  EXPECT_TRUE(loud.empty());
}

// The text in the editor counts, not that on disk.
TEST_F(OpenDocuments, AChangeIsLintedWithoutBeingSaved) {
  const std::string file = folder.write("a.cu", plain);
  open(file, plain);
  ASSERT_TRUE(settle(file));
  EXPECT_FALSE(isReported(file));
  documents.change(file, strided, 2);
  EXPECT_FALSE(documents.find(file)->isCurrent());
  EXPECT_FALSE(documents.find(file)->isSaved);
  ASSERT_TRUE(documents.next()) << "it waits for a pause of the user";
  EXPECT_GT(*documents.next(), Clock::now());
  ASSERT_TRUE(settle(file));
  EXPECT_TRUE(isReported(file));
}

// Each key would otherwise cost a whole run.
TEST_F(OpenDocuments, ANewTextEndsTheRunOfTheOldOne) {
  const std::string file = folder.write("a.cu", plain);
  open(file, plain);
  documents.step();
  ASSERT_TRUE(documents.find(file)->run);
  documents.change(file, strided, 2);
  EXPECT_FALSE(documents.find(file)->run);
  EXPECT_TRUE(documents.files().empty());
  documents.step();
  EXPECT_FALSE(documents.find(file)->run) << "before the pause is over";
  ASSERT_TRUE(settle(file));
  EXPECT_TRUE(isReported(file));
  EXPECT_EQ(documents.find(file)->shownVersion, 2);
}

// The kernel is in the header; the source that includes it reads it again.
TEST_F(OpenDocuments, AChangedHeaderLintsTheSourcesThatIncludeIt) {
  const std::string header = folder.write("k.cuh", plain),
                    source = folder.write("a.cu", "#include \"k.cuh\"\n");
  open(source, "#include \"k.cuh\"\n");
  ASSERT_TRUE(settle(source));
  EXPECT_FALSE(isReported(header));
  open(header, plain);
  ASSERT_TRUE(settle(header));
  documents.change(header, strided, 2);
  EXPECT_TRUE(documents.find(source)->wantsReading);
  ASSERT_TRUE(settle(header));
  EXPECT_TRUE(isReported(header));
}

// Diagnostics of a closed document for other files go with it.
TEST_F(OpenDocuments, AClosedDocumentTakesItsDiagnosticsAlong) {
  const std::string header = folder.write("k.cuh", strided),
                    source = folder.write("a.cu", "#include \"k.cuh\"\n");
  open(source, "#include \"k.cuh\"\n");
  ASSERT_TRUE(settle(source));
  EXPECT_TRUE(isReported(header));
  published.clear();
  documents.close(source);
  EXPECT_EQ(published, (std::set<std::string>{header, source}));
  EXPECT_FALSE(isReported(header));
  EXPECT_FALSE(documents.find(source));
}

// Some editors save and close files that they never opened.
TEST_F(OpenDocuments, AFileThatIsNotOpenIsNoMatter) {
  const std::string file = folder.write("a.cu", strided);
  documents.change(file, plain, 2);
  documents.save(file);
  documents.close(file);
  documents.step();
  EXPECT_TRUE(published.empty());
  EXPECT_FALSE(documents.next());
  EXPECT_TRUE(documents.diagnosticsOf(file).empty());
}

// The file has the marks and line ends of another system; it is saved all the
// same, so that its compiled code may judge it.
TEST_F(OpenDocuments, ATextIsSavedThoughTheEditorConvertedIt) {
  const std::string file =
      folder.write("a.cu", "\xEF\xBB\xBFint a;\r\nint b;\r\n");
  open(file, "int a;\nint b;\n");
  EXPECT_TRUE(documents.find(file)->isSaved);
  open(file, "int a;\nint c;\n");
  EXPECT_FALSE(documents.find(file)->isSaved);
}
