// An editor in a real session of the language server, over pipes.
#pragma once
#include "input_folder.h"
#include "lsp/messages.h"
#include "nvcc.h"
#include "os/scratch.h"
#include "test_paths.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warplint {

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

  void write(llvm::StringRef bytes) {
    while (!bytes.empty()) {
      ssize_t count = ::write(to_, bytes.data(), bytes.size());
      if (count <= 0)
        return;
      bytes = bytes.drop_front(count);
    }
  }
  void send(llvm::StringRef text) {
    write(llvm::formatv("Content-Length: {0}\r\n\r\n{1}", text.size(), text)
              .str());
  }
  void notify(llvm::StringRef method, llvm::json::Value params) {
    send(llvm::formatv(
             "{0}",
             llvm::json::Value(llvm::json::Object{
                 {"jsonrpc", "2.0"}, {"method", method}, {"params", params}}))
             .str());
  }

  /// The next message, or null after a minute or at the end.
  llvm::json::Value next(int milliseconds = 600'000) {
    for (;;) {
      if (auto message = messages_.next())
        return llvm::cantFail(std::move(*message));
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
  template <typename Is> llvm::json::Object until(Is is) {
    for (;;) {
      llvm::json::Value message = next();
      llvm::json::Object *object = message.getAsObject();
      if (!object)
        return {};
      if (is(*object))
        return std::move(*object);
    }
  }

  /// The answer, "result" or "error" in it.
  llvm::json::Object request(llvm::StringRef method,
                             llvm::json::Value params = nullptr) {
    const int id = ++requests_;
    send(llvm::formatv(
             "{0}", llvm::json::Value(llvm::json::Object{{"jsonrpc", "2.0"},
                                                         {"id", id},
                                                         {"method", method},
                                                         {"params", params}}))
             .str());
    return until([&](const llvm::json::Object &message) {
      return message.getInteger("id") == id && !message.get("method");
    });
  }

  llvm::json::Object begin(const std::string &folder = "") {
    llvm::json::Object answer =
        request("initialize",
                llvm::json::Object{{"processId", nullptr},
                                   {"rootUri", folder.empty()
                                                   ? llvm::json::Value(nullptr)
                                                   : "file://" + folder},
                                   {"capabilities", llvm::json::Object{}}});
    notify("initialized", llvm::json::Object{});
    return answer;
  }

  void open(const std::string &file, llvm::StringRef text, int version = 1,
            llvm::StringRef language = "cuda") {
    notify("textDocument/didOpen",
           llvm::json::Object{
               {"textDocument", llvm::json::Object{{"uri", "file://" + file},
                                                   {"languageId", language},
                                                   {"version", version},
                                                   {"text", text}}}});
  }
  void change(const std::string &file, llvm::StringRef text, int version) {
    notify("textDocument/didChange",
           llvm::json::Object{
               {"textDocument", llvm::json::Object{{"uri", "file://" + file},
                                                   {"version", version}}},
               {"contentChanges",
                llvm::json::Array{llvm::json::Object{{"text", text}}}}});
  }
  void tell(llvm::StringRef method, const std::string &file) {
    notify(method,
           llvm::json::Object{{"textDocument",
                               llvm::json::Object{{"uri", "file://" + file}}}});
  }

  /// The next diagnostics for the file: "3:12-20 2 strided-global-access".
  /// The version is left in `version`, 0 if it has none.
  std::vector<std::string> published(const std::string &file) {
    llvm::json::Object message = until([&](const llvm::json::Object &message) {
      const llvm::json::Object *params = message.getObject("params");
      return message.getString("method") ==
                 llvm::StringRef("textDocument/publishDiagnostics") &&
             params &&
             params->getString("uri") == llvm::StringRef("file://" + file);
    });
    std::vector<std::string> result;
    const llvm::json::Object *params = message.getObject("params");
    if (!params)
      return {"nothing was published"};
    version = params->getInteger("version").value_or(0);
    diagnostics = *params->getArray("diagnostics");
    for (const llvm::json::Value &value : diagnostics) {
      const llvm::json::Object &one = *value.getAsObject();
      const llvm::json::Object &start =
                                   *one.getObject("range")->getObject("start"),
                               &end = *one.getObject("range")->getObject("end");
      result.push_back(llvm::formatv(
          "{0}:{1}-{2} {3} {4}", *start.getInteger("line") + 1,
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
  llvm::json::Array diagnostics;

private:
  pid_t process_ = 0;
  int to_, from_, requests_ = 0;
  Messages messages_;
};

inline llvm::json::Object at(const std::string &file, int line, int character) {
  return llvm::json::Object{
      {"textDocument", llvm::json::Object{{"uri", "file://" + file}}},
      {"position",
       llvm::json::Object{{"line", line}, {"character", character}}}};
}

inline int64_t errorCode(const llvm::json::Object &answer) {
  const llvm::json::Object *error = answer.getObject("error");
  return error ? *error->getInteger("code") : 0;
}

} // namespace warplint
