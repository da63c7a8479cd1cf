// Tests what an editor is told of one document.
#include "lsp/lint_document.h"
#include "lsp_editor.h"
#include "register_sources.h"

using namespace testing;
using namespace llvm;

namespace warplint {
namespace {

TEST(LintDocument, ColumnsAreUtf16AndRangesTheExpressions) {
  InputFolder folder;
  const std::string text = R"(__global__ void k(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  /* äöü 𝄞 */ out[i] = /* ß */ in[i * 32];
}
)";
  const std::string file = folder.write("a ü.cu", text);
  const std::string uri = folder / "a%20%C3%BC.cu";
  Editor editor;
  editor.begin(folder.path);
  editor.open(uri, text);
  // 'in' is behind 5 characters of more than a byte, one of them two units.
  EXPECT_THAT(editor.published(uri),
              ElementsAre("3:32-42 2 strided-global-access"));
  json::Object hover = editor.request("textDocument/hover", at(uri, 2, 34));
  ASSERT_TRUE(hover.getObject("result"));
  EXPECT_THAT(hover.getObject("result")
                  ->getObject("contents")
                  ->getString("value")
                  ->str(),
              HasSubstr("`in[i * 32]`, 4 bytes, global: **32 sectors, 4 "
                        "needed**"));
  // Between the two accesses there is none.
  hover = editor.request("textDocument/hover", at(uri, 2, 26));
  EXPECT_TRUE(hover.get("result") && !hover.getObject("result"));
}

TEST(LintDocument, AFindingShowsWhoHoldsTheRegistersOfItsKernel) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", crowded);
  LintRequest request;
  request.file = file;
  request.language = "cuda";
  request.folder = folder.path;
  request.judge = true;
  const Shown shown = lintDocument(request, {});
  EXPECT_EQ(shown.failure, "");
  std::vector<std::string> texts;
  for (const HoverNote &note : shown.hovers)
    texts.push_back(note.text);
  EXPECT_THAT(texts, Contains(AllOf(HasSubstr("**registers** of `tight`"),
                                    HasSubstr(" live at line "),
                                    HasSubstr("'sum[8][8]' "))));
}

TEST(LintDocument, ShowsThePageOfTheCheckAndAllowsIt) {
  InputFolder folder;
  const std::string file = folder.write("a.cu", strided);
  Editor editor;
  editor.begin(folder.path);
  editor.open(file, strided);
  editor.published(file);
  json::Object hover = editor.request("textDocument/hover", at(file, 2, 11));
  ASSERT_TRUE(hover.getObject("result"));
  EXPECT_THAT(hover.getObject("result")
                  ->getObject("contents")
                  ->getString("value")
                  ->str(),
              AllOf(HasSubstr("### strided-global-access"),
                    HasSubstr("**What to do**")));
  json::Object position{{"line", 2}, {"character", 12}};
  json::Object answer = editor.request(
      "textDocument/codeAction",
      json::Object{{"textDocument", json::Object{{"uri", "file://" + file}}},
                   {"range", json::Object{{"start", json::Object(position)},
                                          {"end", json::Object(position)}}},
                   {"context", json::Object{{"diagnostics", json::Array{}}}}});
  const json::Array *actions = answer.getArray("result");
  ASSERT_TRUE(actions && actions->size() == 1);
  const json::Object &edit = *actions->front()
                                  .getAsObject()
                                  ->getObject("edit")
                                  ->getObject("changes")
                                  ->getArray("file://" + file)
                                  ->front()
                                  .getAsObject();
  EXPECT_EQ(edit.getObject("range")->getObject("start")->getInteger("line"), 2);
  const std::string comment = edit.getString("newText")->str();
  EXPECT_THAT(comment,
              StartsWith("  // warplint: allow(strided-global-access) "));
  // The changed text has no finding and no useless comment.
  std::string text = strided;
  text.insert(text.find("  out[i]"), comment);
  editor.change(file, text, 2);
  EXPECT_THAT(editor.published(file), IsEmpty());
  EXPECT_EQ(editor.version, 2);
}

TEST(LintDocument, HeaderIsReadThroughASourceThatIncludesIt) {
  InputFolder folder;
  const std::string header = folder.write("inc/k.cuh", strided);
  folder.write("src/other.cu", "__global__ void other() {}\n");
  const std::string text = "#include \"../inc/k.cuh\"\n";
  const std::string source = folder.write("src/a.cu", text);
  Editor editor;
  editor.begin(folder.path);
  editor.open(header, strided);
  const std::vector<std::string> finding = {"3:11-21 2 strided-global-access"};
  EXPECT_EQ(editor.published(header), finding);
  editor.change(header, plain, 2);
  EXPECT_THAT(editor.published(header), IsEmpty());
  editor.change(header, strided, 3);
  EXPECT_EQ(editor.published(header), finding);
  editor.tell("textDocument/didClose", header);
  EXPECT_THAT(editor.published(header), IsEmpty());
  // A header that is not open, and then is and changes.
  editor.open(source, text);
  EXPECT_EQ(editor.published(header), finding);
  editor.open(header, strided);
  EXPECT_EQ(editor.published(header), finding);
  editor.change(header, plain, 2);
  EXPECT_THAT(editor.publishedAtLast(header, {}), IsEmpty());
  EXPECT_EQ(editor.shutDown(), 0);
}

TEST(LintDocument, SourceIsReadWithTheUnsavedHeader) {
  InputFolder folder;
  const std::string header = folder.write("k.h", "#define STRIDE 1\n");
  const std::string text = "#include \"k.h\"\n"
                           "__global__ void k(float *out, const float *in) {\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "  out[i] = in[i * STRIDE];\n"
                           "}\n";
  const std::string source = folder.write("a.cu", text);
  Editor editor;
  editor.begin(folder.path);
  editor.open(source, text);
  EXPECT_THAT(editor.published(source), IsEmpty());
  editor.open(header, "#define STRIDE 1\n", 1, "cpp");
  editor.change(header, "#define STRIDE 32\n", 2);
  EXPECT_EQ(editor.publishedAtLast(source, {"4:11-25 2 strided-global-access"}),
            std::vector<std::string>{"4:11-25 2 strided-global-access"});
  editor.tell("textDocument/didClose", header);
  EXPECT_THAT(editor.publishedAtLast(source, {}), IsEmpty());
}

TEST(LintDocument, AHeaderThatNoSourceIncludesIsReportedOnce) {
  InputFolder folder;
  folder.write("other.cu", plain);
  const std::string header = folder.write("k.cuh", strided);
  Editor editor;
  editor.begin(folder.path);
  editor.open(header, strided);
  json::Object message = editor.until([](const json::Object &message) {
    return message.getString("method") == StringRef("window/showMessage");
  });
  EXPECT_THAT(
      message.getObject("params")->getString("message")->str(),
      HasSubstr("no CUDA source under '" + folder.path + "' includes it"));
  EXPECT_THAT(editor.published(header), IsEmpty());
  editor.change(header, plain, 2);
  json::Value next = editor.next();
  EXPECT_EQ(next.getAsObject()->getString("method"),
            StringRef("textDocument/publishDiagnostics"));
}

TEST(LintDocument, BrokenTextLeavesNoStaleFinding) {
  InputFolder folder;
  const std::string file = folder.write("a.cu", strided);
  Editor editor;
  editor.begin(folder.path);
  editor.open(file, strided);
  editor.published(file);
  const std::string broken =
      "__global__ void second(float *a, int n) { a[threadIdx.x * 32] = n }\n";
  editor.change(file, strided + broken, 2);
  EXPECT_THAT(editor.published(file),
              UnorderedElementsAre("3:11-21 2 strided-global-access",
                                   MatchesRegex("5:[0-9]+-[0-9]+ 3 no code")));
  editor.change(file, "__global__ void gather(float *out, const flo", 3);
  EXPECT_THAT(editor.published(file),
              ElementsAre(MatchesRegex("[0-9]+:[0-9]+-[0-9]+ 3 no code")));
  EXPECT_THAT(editor.words(), HasSubstr("not read: "));
  editor.change(file, plain, 4);
  EXPECT_THAT(editor.published(file), IsEmpty());
  editor.change(file, "#include <no/such/header.h>\n", 5);
  EXPECT_THAT(editor.published(file), ElementsAre("1:9-10 3 no code"));
  EXPECT_EQ(editor.shutDown(), 0);
}

TEST(LintDocument, AppliesTheConfigurationAndReportsItsErrors) {
  InputFolder folder;
  folder.write(".warplint.yaml", "checks:\n  strided-global-access: certain\n");
  const std::string file = folder.write("a.cu", strided);
  Editor editor;
  editor.begin(folder.path);
  editor.open(file, strided);
  EXPECT_THAT(editor.published(file),
              ElementsAre("3:11-21 1 strided-global-access"));
  folder.write(".warplint.yaml", "checkz: {}\n");
  editor.notify("workspace/didChangeWatchedFiles",
                json::Object{{"changes", json::Array{}}});
  json::Object message = editor.until([](const json::Object &message) {
    return message.getString("method") == StringRef("window/showMessage");
  });
  EXPECT_THAT(message.getObject("params")->getString("message")->str(),
              HasSubstr("checkz"));
  EXPECT_THAT(editor.published(file), IsEmpty());
  folder.write(".warplint.yaml", "skip: [\"a.cu\"]\n");
  editor.notify("workspace/didChangeWatchedFiles",
                json::Object{{"changes", json::Array{}}});
  EXPECT_THAT(editor.published(file), IsEmpty());
}

TEST(LintDocument, PlainCxxIsNotLinted) {
  InputFolder folder;
  const std::string file = folder.write("a.cpp", strided);
  Editor editor;
  editor.begin(folder.path);
  editor.open(file, strided, 1, "cpp");
  EXPECT_THAT(editor.published(file), IsEmpty());
  folder.write("compile_commands.json",
               R"([{"directory": ")" + folder.path +
                   R"(", "file": "a.cpp", "command": "nvcc -x cu -c a.cpp"}])");
  editor.change(file, strided, 2);
  EXPECT_THAT(editor.published(file),
              ElementsAre("3:11-21 2 strided-global-access"));
}

TEST(LintDocument, JudgesOnOpenAndSave) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC HERE: judging in an editor is not tested";
  InputFolder folder;
  // The compiler makes one load of the four.
  const std::string refuted =
      "__global__ void k(float4 *out, const float *in) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float s = 0;\n"
      "  for (int j = 0; j < 4; ++j)\n"
      "    s += in[i * 4 + j];\n"
      "  out[i] = {s, s, s, s};\n"
      "}\n";
  const std::string text = strided + refuted;
  const std::string file = folder.write("a.cu", text);
  Editor editor(std::vector<std::string>{});
  editor.begin(folder.path);
  editor.open(file, text);
  const std::vector<std::string> judged = {"3:11-21 2 strided-global-access"};
  EXPECT_EQ(editor.publishedAtLast(file, judged), judged);
  while (!StringRef(editor.words()).contains("confirmed"))
    ASSERT_EQ(editor.published(file), judged);
  // Refuted findings stay hidden while the user types elsewhere.
  editor.change(file, "\n" + text, 2);
  EXPECT_THAT(editor.published(file),
              ElementsAre("4:11-21 2 strided-global-access"));
  EXPECT_THAT(editor.words(), HasSubstr("unjudged: compiled when it is saved"));
  folder.write("a.cu", "\n" + text);
  editor.tell("textDocument/didSave", file);
  EXPECT_THAT(editor.published(file),
              ElementsAre("4:11-21 2 strided-global-access"));
  EXPECT_THAT(editor.words(), HasSubstr("confirmed"));
  EXPECT_EQ(editor.version, 2);
  EXPECT_EQ(editor.shutDown(), 0);
}

} // namespace
} // namespace warplint
