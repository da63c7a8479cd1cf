#include "lsp/server.h"
#include "findings/check.h"
#include "lsp/documents.h"
#include "lsp/messages.h"
#include "os/pipes.h"
#include "report/fields.h"
#include "report/markdown_page.h"
#include "version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace llvm;

namespace warplint {

namespace {

/// The parameters of 'initialize' that LLVM's type lacks.
struct Beginning {
  std::string folder;   ///< the editor's workspace; may be empty
  bool watches = false; ///< the editor can report files that change
};

std::string pathOf(StringRef uri) {
  auto file = lsp::URIForFile::fromURI(uri);
  if (file)
    return file->file().rtrim('/').str();
  consumeError(file.takeError());
  return "";
}

bool fromJSON(const json::Value &value, Beginning &result, json::Path) {
  const json::Object *all = value.getAsObject();
  if (!all)
    return true;
  if (const json::Array *folders = all->getArray("workspaceFolders"))
    if (!folders->empty() && folders->front().getAsObject())
      result.folder =
          pathOf(folders->front().getAsObject()->getString("uri").value_or(""));
  if (result.folder.empty())
    result.folder = pathOf(all->getString("rootUri").value_or(""));
  for (StringRef key : {"capabilities", "workspace", "didChangeWatchedFiles"})
    if (!(all = all->getObject(key)))
      return true;
  result.watches = all->getBoolean("dynamicRegistration").value_or(false);
  return true;
}

/// Has the fields of didClose; LLVM has no type for it.
using SaveParams = lsp::DidCloseTextDocumentParams;

/// Normalises names: "/a/../b.cu" becomes "/b.cu".
std::string fileOf(const lsp::URIForFile &uri) {
  SmallString<256> path(uri.file());
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

bool overlaps(const lsp::Range &range, const lsp::Range &other) {
  return range.start <= other.end && other.start <= range.end;
}

class Server : Documents::Listener {
public:
  Server(const Options &options, int in, raw_fd_ostream &out);
  int run();

private:
  // Messages of the editor.
  void initialize(const Beginning &params, lsp::Callback<json::Value> reply);
  void initialized(const lsp::NoParams &);
  void shutdown(const lsp::NoParams &, lsp::Callback<json::Value> reply);
  void didOpen(const lsp::DidOpenTextDocumentParams &params);
  void didChange(const lsp::DidChangeTextDocumentParams &params);
  void didSave(const SaveParams &params);
  void didClose(const lsp::DidCloseTextDocumentParams &params);
  void didChangeFiles(const lsp::NoParams &) { documents_.lintAll(); }
  void hover(const lsp::TextDocumentPositionParams &params,
             lsp::Callback<json::Value> reply);
  void codeAction(const lsp::CodeActionParams &params,
                  lsp::Callback<json::Value> reply);

  // Messages to the editor.
  void publish(const std::string &file) override;
  void say(const std::string &text, bool isLoud) override;

  bool wait();
  void refuse(json::Value id, lsp::ErrorCode code, const Twine &why);
  bool handle(json::Object message);
  bool call(StringRef method, json::Value params, json::Value id);
  bool readAll();

  const int in_;
  raw_fd_ostream &out_;
  lsp::JSONTransport transport_;
  lsp::MessageHandler handler_;
  Messages messages_;
  Documents documents_;
  enum { New, Serving, ShutDown } state_ = New;
  bool watches_ = false;
  std::set<std::string> said_;
};

Server::Server(const Options &options, int in, raw_fd_ostream &out)
    : in_(in), out_(out), transport_(stdin, out), handler_(transport_),
      documents_(options, *this) {
  handler_.method("initialize", this, &Server::initialize);
  handler_.method("shutdown", this, &Server::shutdown);
  handler_.method("textDocument/hover", this, &Server::hover);
  handler_.method("textDocument/codeAction", this, &Server::codeAction);
  handler_.notification("initialized", this, &Server::initialized);
  handler_.notification("textDocument/didOpen", this, &Server::didOpen);
  handler_.notification("textDocument/didChange", this, &Server::didChange);
  handler_.notification("textDocument/didSave", this, &Server::didSave);
  handler_.notification("textDocument/didClose", this, &Server::didClose);
  handler_.notification("workspace/didChangeWatchedFiles", this,
                        &Server::didChangeFiles);
}

void Server::initialize(const Beginning &params,
                        lsp::Callback<json::Value> reply) {
  state_ = Serving;
  watches_ = params.watches;
  documents_.setFolder(params.folder);
  json::Object sync{{"openClose", true},
                    {"change", int(lsp::TextDocumentSyncKind::Full)},
                    {"save", json::Object{{"includeText", false}}}};
  json::Object capabilities{
      {"textDocumentSync", std::move(sync)},
      {"hoverProvider", true},
      {"codeActionProvider",
       json::Object{
           {"codeActionKinds", json::Array{lsp::CodeAction::kQuickFix}}}}};
  reply(json::Object{
      {"capabilities", std::move(capabilities)},
      {"serverInfo",
       json::Object{{"name", "warplint"}, {"version", WARPLINT_VERSION}}}});
}

void Server::initialized(const lsp::NoParams &) {
  if (!watches_)
    return;
  json::Array watchers;
  for (const char *name : {"**/.warplint.yaml", "**/compile_commands.json"})
    watchers.push_back(json::Object{{"globPattern", name}});
  transport_.call(
      "client/registerCapability",
      json::Object{{"registrations",
                    json::Array{json::Object{
                        {"id", "watch"},
                        {"method", "workspace/didChangeWatchedFiles"},
                        {"registerOptions",
                         json::Object{{"watchers", std::move(watchers)}}}}}}},
      "watch");
}

void Server::shutdown(const lsp::NoParams &, lsp::Callback<json::Value> reply) {
  state_ = ShutDown;
  reply(nullptr);
}

void Server::didOpen(const lsp::DidOpenTextDocumentParams &params) {
  documents_.open(fileOf(params.textDocument.uri), params.textDocument);
}

void Server::didChange(const lsp::DidChangeTextDocumentParams &params) {
  // Each change has the whole text, as requested at initialisation.
  if (params.contentChanges.empty() || params.contentChanges.back().range) {
    lsp::Logger::error("textDocument/didChange without a whole text");
    return;
  }
  documents_.change(fileOf(params.textDocument.uri),
                    params.contentChanges.back().text,
                    params.textDocument.version);
}

void Server::didSave(const SaveParams &params) {
  documents_.save(fileOf(params.textDocument.uri));
}

void Server::didClose(const lsp::DidCloseTextDocumentParams &params) {
  documents_.close(fileOf(params.textDocument.uri));
}

/// The costs of accesses here, and the pages of checks with findings here.
void Server::hover(const lsp::TextDocumentPositionParams &params,
                   lsp::Callback<json::Value> reply) {
  const std::string file = fileOf(params.textDocument.uri);
  const Document *document = documents_.find(file);
  if (!document || !document->isCurrent())
    return reply(nullptr);
  auto isIn = [&](const lsp::Range &range) {
    return range.contains(params.position);
  };
  lsp::Hover hover{lsp::Range(params.position)};
  auto add = [&](const lsp::Range &range, StringRef text) {
    if (!hover.contents.value.empty())
      hover.contents.value += "\n\n---\n\n";
    hover.contents.value += text;
    hover.range = range;
  };
  for (const HoverNote &note : document->shown.hovers)
    if (auto where = find_if(note.where, isIn); where != note.where.end())
      add(*where, note.text);
  for (const EditorDiagnostic &diagnostic : documents_.diagnosticsOf(file))
    if (const Check *check = findCheck(diagnostic.code);
        check && isIn(diagnostic.range))
      add(diagnostic.range,
          "### " + diagnostic.code + "\n\n" + markdownPage(check->info));
  if (hover.contents.value.empty())
    return reply(nullptr);
  reply(lsp::toJSON(hover));
}

/// An edit that adds a comment above the line; none if the previous line
/// continues in this one, as in a macro.
std::optional<lsp::TextEdit> allowing(StringRef text, int line, StringRef id) {
  StringRef before;
  for (int i = 0; i < line; ++i) {
    before = text.split('\n').first;
    text = text.split('\n').second;
  }
  if (before.rtrim('\r').ends_with("\\"))
    return std::nullopt;
  StringRef indent =
      text.take_while([](char c) { return c == ' ' || c == '\t'; });
  const bool hasReturn = text.split('\n').first.ends_with("\r");
  return lsp::TextEdit{lsp::Range(lsp::Position(line, 0)),
                       (indent + "// warplint: allow(" + id +
                        ") REASON: why it stays" + (hasReturn ? "\r\n" : "\n"))
                           .str()};
}

/// The edit of a finding's fix; none without the URI of its file.
static std::optional<json::Value> fixing(const EditorDiagnostic &diagnostic) {
  auto uri = lsp::URIForFile::fromFile(diagnostic.fix->file);
  if (!uri) {
    consumeError(uri.takeError());
    return std::nullopt;
  }
  lsp::CodeAction action;
  action.title = diagnostic.fix->title;
  action.kind = lsp::CodeAction::kQuickFix.str();
  action.isPreferred = diagnostic.fix->isPreferred;
  action.edit.emplace();
  action.edit->changes[uri->uri().str()] = diagnostic.fix->edits;
  json::Value value = lsp::toJSON(action);
  (*value.getAsObject())["diagnostics"] = json::Array{diagnostic};
  return value;
}

void Server::codeAction(const lsp::CodeActionParams &params,
                        lsp::Callback<json::Value> reply) {
  const std::string file = fileOf(params.textDocument.uri);
  const Document *document = documents_.find(file);
  const bool isAsked =
      params.context.only.empty() ||
      is_contained(params.context.only, lsp::CodeAction::kQuickFix);
  json::Array actions;
  if (!document || !document->isCurrent() || !isAsked)
    return reply(std::move(actions));
  std::set<std::pair<int, std::string>> offered;
  const std::vector<EditorDiagnostic> all = documents_.diagnosticsOf(file);
  for (const EditorDiagnostic &diagnostic : all) {
    const int line = diagnostic.range.start.line;
    if (!overlaps(diagnostic.range, params.range) || diagnostic.code.empty() ||
        !is_contained(map_range(checks(),
                                [](const Check &check) {
                                  return StringRef(check.info.id);
                                }),
                      diagnostic.code) ||
        !offered.insert({line, diagnostic.code}).second)
      continue;
    if (diagnostic.fix)
      if (auto action = fixing(diagnostic))
        actions.push_back(std::move(*action));
    auto edit = allowing(document->text, line, diagnostic.code);
    if (!edit)
      continue;
    lsp::CodeAction action;
    action.title = "allow '" + diagnostic.code + "' here, with a reason";
    action.kind = lsp::CodeAction::kQuickFix.str();
    action.edit.emplace();
    action.edit->changes[document->uri.uri().str()] = {*edit};
    json::Value value = lsp::toJSON(action);
    (*value.getAsObject())["diagnostics"] = json::Array{diagnostic};
    actions.push_back(std::move(value));
  }
  reply(std::move(actions));
}

void Server::publish(const std::string &file) {
  const Document *document = documents_.find(file);
  // Its own run will report more.
  if (state_ != Serving || (document && !document->isCurrent()))
    return;
  // The JSON values refer to these URIs.
  const std::vector<EditorDiagnostic> all = documents_.diagnosticsOf(file);
  json::Object params{{"diagnostics", json::Array(all)}};
  if (document) {
    params["uri"] = document->uri.uri().str();
    params["version"] = document->version;
  } else if (auto uri = lsp::URIForFile::fromFile(file)) {
    params["uri"] = uri->uri().str();
  } else {
    return consumeError(uri.takeError());
  }
  transport_.notify("textDocument/publishDiagnostics", std::move(params));
}

/// Sends each message once, since every run repeats it.
void Server::say(const std::string &text, bool isLoud) {
  if (state_ != Serving || !said_.insert(text).second)
    return;
  lsp::ShowMessageParams params(isLoud ? lsp::MessageType::Warning
                                       : lsp::MessageType::Info,
                                "warplint: " + utf8(text));
  transport_.notify(isLoud ? "window/showMessage" : "window/logMessage",
                    lsp::toJSON(params));
}

void Server::refuse(json::Value id, lsp::ErrorCode code, const Twine &why) {
  transport_.reply(std::move(id), make_error<lsp::LSPError>(why.str(), code));
}

bool Server::call(StringRef method, json::Value params, json::Value id) {
  if (state_ == New && method != "initialize")
    refuse(std::move(id), lsp::ErrorCode::ServerNotInitialized,
           "'initialize' comes before '" + method + "'");
  else if (state_ == Serving && method == "initialize")
    refuse(std::move(id), lsp::ErrorCode::InvalidRequest,
           "'initialize' came before");
  else if (state_ == ShutDown)
    refuse(std::move(id), lsp::ErrorCode::InvalidRequest,
           "after 'shutdown' there is only 'exit'");
  else
    handler_.onCall(method, std::move(params), std::move(id));
  return true;
}

/// Returns false after 'exit'.
bool Server::handle(json::Object message) {
  const json::Value *given = message.get("id");
  const json::Value id = given ? *given : json::Value(nullptr);
  const std::optional<StringRef> method = message.getString("method");
  if (!method && given && (message.get("result") || message.get("error")))
    return true; // the answer to a request of ours; needs no reply
  if (message.getString("jsonrpc") != StringRef("2.0") || !method) {
    refuse(id, lsp::ErrorCode::InvalidRequest, "not a message of JSON-RPC 2.0");
    return true;
  }
  json::Value params = nullptr;
  if (json::Value *some = message.get("params"))
    params = std::move(*some);
  if (given)
    return call(*method, std::move(params), id);
  if (*method == "exit")
    return false;
  if (state_ == Serving)
    handler_.onNotify(*method, std::move(params));
  return true;
}

/// Handles all complete messages; returns false after 'exit'.
bool Server::readAll() {
  while (std::optional<Expected<json::Value>> message = messages_.next()) {
    if (!*message)
      refuse(nullptr, lsp::ErrorCode::ParseError,
             toString(message->takeError()));
    else if (json::Object *object = (*message)->getAsObject()) {
      if (!handle(std::move(*object)))
        return false;
    } else {
      refuse(nullptr, lsp::ErrorCode::InvalidRequest, "not a JSON object");
    }
  }
  return true;
}

/// Waits for an event; returns false at the end of input.
bool Server::wait() {
  std::vector<pollfd> files = {{in_, POLLIN, 0}};
  for (int file : documents_.files())
    files.push_back({file, POLLIN, 0});
  int milliseconds = -1;
  if (auto next = documents_.next())
    milliseconds = std::max<int>(
        0, std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now())
               .count());
  if (poll(files.data(), files.size(), milliseconds) <= 0 ||
      !files.front().revents)
    return true;
  return readSome(in_, messages_.bytes());
}

int Server::run() {
  bool isOpen = true;
  while (isOpen && readAll()) {
    documents_.step();
    // A failed write means that the editor is gone.
    isOpen = !out_.has_error() && wait();
  }
  if (!isOpen && state_ != ShutDown)
    errs()
        << "warplint: the editor disconnected without 'shutdown' and 'exit'\n";
  return state_ == ShutDown ? 0 : 1;
}

} // namespace

int serve(const Options &options) {
  if (isatty(0))
    errs() << "warplint: an editor starts this command; it waits for messages "
              "of the Language Server Protocol\n";
  ::signal(SIGPIPE, SIG_IGN);
  // Only this server writes to standard output.
  const int protocol = fcntl(1, F_DUPFD_CLOEXEC, 3);
  dup2(2, 1);
  raw_fd_ostream out(protocol, /*shouldClose=*/true);
  const int code = Server(options, 0, out).run();
  out.clear_error();
  return code;
}

} // namespace warplint
