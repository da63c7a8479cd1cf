// The language server in real sessions: the program itself, over pipes.
#include "lsp_editor.h"
#include "version.h"

using namespace testing;
using namespace llvm;

namespace warplint {
namespace {

TEST(Server, PublishesFindingsWhileTheUserTypes) {
  InputFolder folder;
  const std::string file = folder.write("a.cu", strided);
  Editor editor;
  editor.begin(folder.path);
  editor.open(file, strided);
  const std::vector<std::string> finding = {"3:11-21 2 strided-global-access"};
  EXPECT_EQ(editor.published(file), finding);
  EXPECT_EQ(editor.version, 1);
  EXPECT_THAT(editor.words(), HasSubstr("32 sectors"));
  // The text that counts is the editor's: the disk has not changed.
  editor.change(file, plain, 2);
  EXPECT_THAT(editor.published(file), IsEmpty());
  EXPECT_EQ(editor.version, 2);
  editor.change(file, std::string("\n") + strided, 3);
  EXPECT_THAT(editor.published(file),
              ElementsAre("4:11-21 2 strided-global-access"));
  EXPECT_EQ(editor.version, 3);
  editor.tell("textDocument/didClose", file);
  EXPECT_THAT(editor.published(file), IsEmpty());
  EXPECT_EQ(editor.version, 0);
  EXPECT_EQ(editor.shutDown(), 0);
}

TEST(Server, OldResultsNeverReplaceNewOnes) {
  InputFolder folder;
  const std::string file = folder.write("a.cu", strided);
  Editor editor;
  editor.begin(folder.path);
  editor.open(file, strided);
  for (int version = 2; version < 12; ++version) {
    editor.change(file, version % 2 ? plain : strided, version);
    usleep(version * 20000); // within the pause, and within the run
  }
  int64_t last = 0;
  do {
    std::vector<std::string> found = editor.published(file);
    EXPECT_GT(editor.version, last);
    EXPECT_EQ(found.empty(), editor.version % 2 && editor.version > 1)
        << editor.version;
    if (editor.version <= last)
      break;
    last = editor.version;
  } while (last < 11);
  EXPECT_EQ(editor.shutDown(), 0);
}

TEST(Server, FollowsTheProtocolAtStartAndShutdown) {
  {
    Editor editor;
    EXPECT_EQ(
        errorCode(editor.request("textDocument/hover", at("/a.cu", 0, 0))),
        -32002);
    json::Object answer = editor.begin();
    ASSERT_TRUE(answer.getObject("result"));
    EXPECT_EQ(answer.getObject("result")
                  ->getObject("serverInfo")
                  ->getString("version"),
              StringRef(WARPLINT_VERSION));
    EXPECT_EQ(errorCode(editor.request("initialize", json::Object{})), -32600);
    EXPECT_EQ(errorCode(editor.request("no/such/method")), -32601);
    EXPECT_EQ(errorCode(editor.request("textDocument/hover", json::Object{})),
              -32602);
    json::Object shutdown = editor.request("shutdown");
    EXPECT_TRUE(shutdown.get("result"));
    EXPECT_EQ(
        errorCode(editor.request("textDocument/hover", at("/a.cu", 0, 0))),
        -32600);
    editor.notify("exit", nullptr);
    EXPECT_EQ(editor.end(), 0);
  }
  Editor early;
  early.begin();
  early.notify("exit", nullptr);
  EXPECT_EQ(early.end(), 1);
  Editor gone;
  gone.begin();
  gone.hangUp();
  EXPECT_EQ(gone.end(), 1);
  Editor atOnce;
  atOnce.hangUp();
  EXPECT_EQ(atOnce.end(), 1);
}

TEST(Server, BadMessagesAreAnsweredAndSurvived) {
  InputFolder folder;
  const std::string file = folder.write("a.cu", strided);
  Editor editor;
  editor.begin(folder.path);
  auto refused = [&] {
    json::Value message = editor.next();
    return message.getAsObject() ? errorCode(*message.getAsObject()) : 0;
  };
  editor.send("{ not JSON");
  EXPECT_EQ(refused(), -32700);
  editor.send("\xff\xfe");
  EXPECT_EQ(refused(), -32700);
  editor.send(std::string(50'000, '['));
  EXPECT_EQ(refused(), -32700);
  editor.send("[1]");
  EXPECT_EQ(refused(), -32600);
  editor.send("{\"id\": 7, \"method\": \"shutdown\"}");
  EXPECT_EQ(refused(), -32600);
  editor.write("Content-Length: many\r\n\r\n");
  EXPECT_EQ(refused(), -32700);
  // Shorter than what follows.
  editor.write("Content-Length: 2\r\n\r\n{}}}}");
  EXPECT_EQ(refused(), -32600);
  editor.notify("textDocument/didOpen", json::Object{});
  editor.notify("textDocument/didChange", "text");
  editor.notify("no/such/notification", nullptr);
  editor.change(file, strided, 1); // which is not open
  editor.notify(
      "textDocument/didOpen",
      json::Object{{"textDocument", json::Object{{"uri", "untitled:1"},
                                                 {"languageId", "cuda"},
                                                 {"version", 1},
                                                 {"text", strided}}}});
  editor.open(folder / "none.cu", strided); // which is not on disk
  EXPECT_THAT(editor.published(folder / "none.cu"), IsEmpty());
  editor.open(file, strided);
  EXPECT_EQ(editor.published(file).size(), 1u);
  EXPECT_EQ(editor.shutDown(), 0);
}

TEST(Server, AnInterruptedSessionLeavesNothing) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC HERE: an interrupted judge is not tested";
  InputFolder folder, temporary;
  Environment there("TMPDIR", temporary.path.c_str());
  const std::string file = folder.write("a.cu", strided);
  {
    Editor editor(std::vector<std::string>{});
    editor.begin(folder.path);
    editor.open(file, strided);
    editor.published(file); // and now it is compiled
    usleep(100000);
    editor.hangUp();
    EXPECT_EQ(editor.end(), 1);
  }
  std::error_code error;
  for (sys::fs::directory_iterator entry(temporary.path, error), end;
       entry != end; entry.increment(error))
    EXPECT_THAT(entry->path(), EndsWith("/.git"));
}

} // namespace
} // namespace warplint
