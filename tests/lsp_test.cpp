// The language server in real sessions: the program itself, over pipes.
#include "lsp/messages.h"
#include "os/scratch.h"
#include "tests/input_folder.h"
#include "tests/nvcc.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace testing;
using namespace llvm;

namespace warplint {
namespace {

constexpr const char *strided =
    R"(__global__ void gather(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * 32];
}
)";

/// Line 3 again, harmless.
constexpr const char *plain =
    R"(__global__ void gather(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
)";

/// An editor that has started the program.
class Editor {
public:
  explicit Editor(std::vector<std::string> options = {"--no-judge"}) {
    int to[2], from[2];
    EXPECT_FALSE(pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC));
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, to[0], 0);
    posix_spawn_file_actions_adddup2(&files, from[1], 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    options.insert(options.begin(), {WARPLINT_BINARY, "lsp"});
    std::vector<char *> words;
    for (std::string &option : options)
      words.push_back(option.data());
    words.push_back(nullptr);
    posix_spawn(&process_, WARPLINT_BINARY, &files, nullptr, words.data(),
                environ);
    posix_spawn_file_actions_destroy(&files);
    close(to[0]), close(from[1]);
    to_ = to[1], from_ = from[0];
  }
  ~Editor() {
    hangUp();
    if (process_)
      kill(process_, SIGKILL), waitpid(process_, nullptr, 0);
    close(from_);
  }

  void hangUp() {
    if (to_ >= 0)
      close(to_);
    to_ = -1;
  }

  void write(StringRef bytes) {
    while (!bytes.empty()) {
      ssize_t count = ::write(to_, bytes.data(), bytes.size());
      if (count <= 0)
        return;
      bytes = bytes.drop_front(count);
    }
  }
  void send(StringRef text) {
    write(formatv("Content-Length: {0}\r\n\r\n{1}", text.size(), text).str());
  }
  void notify(StringRef method, json::Value params) {
    send(formatv("{0}", json::Value(json::Object{{"jsonrpc", "2.0"},
                                                 {"method", method},
                                                 {"params", params}}))
             .str());
  }

  /// The next message, or null after a minute or at the end.
  json::Value next(int milliseconds = 600'000) {
    for (;;) {
      if (auto message = messages_.next())
        return cantFail(std::move(*message));
      pollfd file = {from_, POLLIN, 0};
      char buffer[4096];
      if (poll(&file, 1, milliseconds) <= 0)
        return nullptr;
      ssize_t count = read(from_, buffer, sizeof buffer);
      if (count <= 0)
        return nullptr;
      messages_.bytes().append(buffer, count);
    }
  }

  /// The next message for which `is` holds.
  template <typename Is> json::Object until(Is is) {
    for (;;) {
      json::Value message = next();
      json::Object *object = message.getAsObject();
      if (!object)
        return {};
      if (is(*object))
        return std::move(*object);
    }
  }

  /// The answer, "result" or "error" in it.
  json::Object request(StringRef method, json::Value params = nullptr) {
    const int id = ++requests_;
    send(formatv("{0}", json::Value(json::Object{{"jsonrpc", "2.0"},
                                                 {"id", id},
                                                 {"method", method},
                                                 {"params", params}}))
             .str());
    return until([&](const json::Object &message) {
      return message.getInteger("id") == id && !message.get("method");
    });
  }

  json::Object begin(const std::string &folder = "") {
    json::Object answer =
        request("initialize",
                json::Object{{"processId", nullptr},
                             {"rootUri", folder.empty() ? json::Value(nullptr)
                                                        : "file://" + folder},
                             {"capabilities", json::Object{}}});
    notify("initialized", json::Object{});
    return answer;
  }

  void open(const std::string &file, StringRef text, int version = 1,
            StringRef language = "cuda") {
    notify("textDocument/didOpen",
           json::Object{{"textDocument", json::Object{{"uri", "file://" + file},
                                                      {"languageId", language},
                                                      {"version", version},
                                                      {"text", text}}}});
  }
  void change(const std::string &file, StringRef text, int version) {
    notify("textDocument/didChange",
           json::Object{
               {"textDocument",
                json::Object{{"uri", "file://" + file}, {"version", version}}},
               {"contentChanges", json::Array{json::Object{{"text", text}}}}});
  }
  void tell(StringRef method, const std::string &file) {
    notify(method, json::Object{{"textDocument",
                                 json::Object{{"uri", "file://" + file}}}});
  }

  /// The next diagnostics for the file: "3:12-20 2 strided-global-access".
  /// The version is left in `version`, 0 if it has none.
  std::vector<std::string> published(const std::string &file) {
    json::Object message = until([&](const json::Object &message) {
      const json::Object *params = message.getObject("params");
      return message.getString("method") ==
                 StringRef("textDocument/publishDiagnostics") &&
             params && params->getString("uri") == StringRef("file://" + file);
    });
    std::vector<std::string> result;
    const json::Object *params = message.getObject("params");
    if (!params)
      return {"nothing was published"};
    version = params->getInteger("version").value_or(0);
    diagnostics = *params->getArray("diagnostics");
    for (const json::Value &value : diagnostics) {
      const json::Object &one = *value.getAsObject();
      const json::Object &start = *one.getObject("range")->getObject("start"),
                         &end = *one.getObject("range")->getObject("end");
      result.push_back(
          formatv("{0}:{1}-{2} {3} {4}", *start.getInteger("line") + 1,
                  *start.getInteger("character"), *end.getInteger("character"),
                  *one.getInteger("severity"),
                  one.getString("code").value_or("no code")));
    }
    return result;
  }
  /// The same once it is what is expected, or what it was last.
  std::vector<std::string> publishedAtLast(const std::string &file,
                                           std::vector<std::string> expected) {
    std::vector<std::string> last;
    do
      last = published(file);
    while (last != expected &&
           last != std::vector<std::string>{"nothing was published"});
    return last;
  }

  std::string words(size_t diagnostic = 0) const {
    return diagnostics[diagnostic].getAsObject()->getString("message")->str();
  }

  /// The exit code, once it has ended by itself; -1 if it does not.
  int end() {
    for (int i = 0; i < 120'000; ++i, usleep(1000)) {
      int status = 0;
      if (waitpid(process_, &status, WNOHANG) == process_) {
        process_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      }
    }
    return -1;
  }
  int shutDown() {
    request("shutdown");
    notify("exit", nullptr);
    return end();
  }
  pid_t process() const { return process_; }

  int64_t version = 0;
  json::Array diagnostics;

private:
  pid_t process_ = 0;
  int to_, from_, requests_ = 0;
  Messages messages_;
};

json::Object at(const std::string &file, int line, int character) {
  return json::Object{
      {"textDocument", json::Object{{"uri", "file://" + file}}},
      {"position", json::Object{{"line", line}, {"character", character}}}};
}

int64_t errorCode(const json::Object &answer) {
  const json::Object *error = answer.getObject("error");
  return error ? *error->getInteger("code") : 0;
}

TEST(Lsp, PublishesFindingsWhileTheUserTypes) {
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

TEST(Lsp, OldResultsNeverReplaceNewOnes) {
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

TEST(Lsp, ColumnsAreUtf16AndRangesTheExpressions) {
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

TEST(Lsp, ShowsThePageOfTheCheckAndAllowsIt) {
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

TEST(Lsp, HeaderIsReadThroughASourceThatIncludesIt) {
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

TEST(Lsp, SourceIsReadWithTheUnsavedHeader) {
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

TEST(Lsp, AHeaderThatNoSourceIncludesIsReportedOnce) {
  InputFolder folder;
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

TEST(Lsp, BrokenTextLeavesNoStaleFinding) {
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

TEST(Lsp, AppliesTheConfigurationAndReportsItsErrors) {
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

TEST(Lsp, PlainCxxIsNotLinted) {
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

TEST(Lsp, JudgesOnOpenAndSave) {
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

TEST(Lsp, FollowsTheProtocolAtStartAndShutdown) {
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

TEST(Lsp, BadMessagesAreAnsweredAndSurvived) {
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

TEST(Lsp, AnInterruptedSessionLeavesNothing) {
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
