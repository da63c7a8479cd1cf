#include "lsp/lint_document.h"
#include "base/folders.h"
#include "base/kernel_name.h"
#include "findings/fingerprint.h"
#include "input/database.h"
#include "input/kokkos_search.h"
#include "input/walk.h"
#include "lsp/places.h"
#include "machine/register_words.h"
#include "report/evidence.h"
#include "report/fields.h"
#include "report/severity.h"
#include "run/changes.h"
#include "run/pipeline.h"
#include "run/settings.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <mutex>

using namespace llvm;

namespace warplint {

namespace {

lsp::DiagnosticSeverity shownSeverity(const Finding &finding) {
  switch (severity(finding)) {
  case Severity::Error:
    return lsp::DiagnosticSeverity::Error;
  case Severity::Warning:
    return lsp::DiagnosticSeverity::Warning;
  case Severity::Note:
    return lsp::DiagnosticSeverity::Information;
  case Severity::None:
    return lsp::DiagnosticSeverity::Hint;
  }
  return lsp::DiagnosticSeverity::Undetermined;
}

EditorFix fixOf(const Fix &fix, const std::string &sentence,
                EditorPlaces &places) {
  EditorFix result;
  result.title =
      utf8((sentence.empty() ? "edit" : sentence) + " (" + spelling(fix.kind) +
           (fix.assumes.empty() ? "" : ": if " + fix.assumes) + ")");
  result.file = fix.edits.front().begin.file;
  result.isPreferred = fix.kind == FixClass::Safe;
  for (const Edit &edit : fix.edits)
    result.edits.push_back(
        {{places.range(edit.begin).start, places.range(edit.end).start},
         utf8(edit.text)});
  return result;
}

EditorDiagnostic diagnosticOf(const Finding &finding, EditorPlaces &places) {
  EditorDiagnostic result;
  result.range = places.range(finding.place, finding.about);
  result.severity = shownSeverity(finding);
  result.source = "warplint";
  result.code = finding.check;
  result.message = utf8(allWords(finding));
  std::vector<lsp::DiagnosticRelatedInformation> related;
  for (const auto &[place, what] : relatedPlaces(finding))
    related.push_back({places.location(place), utf8(what)});
  if (!related.empty())
    result.relatedInformation = std::move(related);
  if (finding.edit && !finding.edit->edits.empty())
    result.fix = fixOf(*finding.edit, finding.fix, places);
  return result;
}

/// Another server shows Clang's errors; this one says that findings may be
/// missing.
EditorDiagnostic diagnosticOf(const UnreadSource &unread, const Report &report,
                              const std::string &file, EditorPlaces &places) {
  EditorDiagnostic result;
  if (unread.place.file == file)
    result.range = places.range(unread.place);
  result.severity = lsp::DiagnosticSeverity::Information;
  result.source = "warplint";
  result.message = (unread.anyKernelRead ? "read in part: " : "not read: ") +
                   utf8(unread.firstError);
  std::vector<std::string> kernels;
  for (const UnreadKernel &kernel : report.unreadKernels)
    if (kernel.source == unread.source)
      kernels.push_back(utf8(kernel.name));
  if (!kernels.empty())
    result.message += "\nnot linted: " + quoted(kernels);
  return result;
}

HoverNote noteOf(const AccessRow &row, EditorPlaces &places) {
  const Access &access = row.access;
  HoverNote note;
  note.where = {places.rangeOf(access.place, access.text),
                places.range(access.place)};
  const bool isKnown = !row.held && row.cost.basis != Basis::Unknown;
  note.text = utf8(
      formatv("**{0}** of `{1}`, {2} bytes, {3}: **{4}**{5}\n\nin `{6}`, "
              "blocks of {7}",
              spelling(access.operation),
              access.text.empty() ? access.object : access.text, access.bytes,
              spelling(row.cost.space), costText(row),
              isKnown && row.cost.basis == Basis::Assumed ? " (assumed)" : "",
              row.kernel, row.shape.shape.text())
          .str());
  return note;
}

/// Maps each name by which a file was found to the editor's name of it.
class EditorNames {
public:
  explicit EditorNames(const std::string &file)
      : file_(file), canonical_(canonicalPath(file)) {}
  std::string of(const std::string &file) const {
    return file != file_ && canonicalPath(file) == canonical_ ? file_ : file;
  }

private:
  const std::string file_, canonical_;
};

/// The folder to search for sources that include a header: the repository, else
/// the editor's folder, else the folder of the header.
std::string projectOf(const std::string &file, const std::string &folder) {
  for (StringRef above = sys::path::parent_path(file); !above.empty();
       above = sys::path::parent_path(above))
    if (sys::fs::exists(above + "/.git"))
      return above.str();
  if (!folder.empty() && StringRef(file).starts_with(folder + "/"))
    return folder;
  return folderOf(file);
}

size_t commonPrefix(StringRef a, StringRef b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
         a.begin();
}

/// The sources that may include the header, the most likely first.
Expected<std::vector<std::string>> sourcesOf(const LintRequest &request,
                                             const Options &options) {
  Changes changes;
  changes.root = projectOf(request.file, request.folder);
  changes.lines[canonicalPath(request.file)] = {};
  SourceRequest search = options.sources;
  search.paths.clear();
  search.mayBeNone = true;
  if (search.database.empty())
    search.paths = {changes.root};
  auto sources = findSources(search);
  if (!sources)
    return sources.takeError();
  keepChanged(sources->commands, changes);
  std::vector<std::string> result;
  for (const Command &command : sources->commands)
    result.push_back(command.source);
  stable_sort(result, [&](const std::string &a, const std::string &b) {
    return commonPrefix(a, request.file) > commonPrefix(b, request.file);
  });
  if (is_contained(result, request.through))
    result.insert(result.begin(), request.through);
  return result;
}

bool isCudaByName(const LintRequest &request) {
  return StringRef(request.language).contains_insensitive("cuda") ||
         isCudaSource(request.file) || isPtxText(request.file) ||
         sys::path::extension(request.file) == ".cuh";
}

/// The reason why a document is not linted; empty if it is.
Expected<std::string> whyNot(const LintRequest &request,
                             const Options &options) {
  if (!sys::fs::exists(request.file))
    return "'" + request.file + "' is linted once it is saved";
  Configurations configurations(options.settings);
  auto settings = configurations.of(request.file);
  if (!settings)
    return settings.takeError();
  if (const PathSetting *pattern = (*settings)->skips(request.file))
    return "'" + request.file + "' is skipped: '" + pattern->value + "' in " +
           pattern->from.file;
  if (isHeader(request.file) || isCudaByName(request))
    return std::string();
  // Most C++ files are not CUDA: a build must say so.
  SourceRequest search = options.sources;
  search.paths = {request.file};
  auto sources = findSources(search);
  if (!sources)
    return toString(sources.takeError());
  IncludeGraph includes(options.sources.buffers);
  if (sources->commands.front().isBare &&
      !includesKokkos(sources->commands.front(), includes))
    return "'" + request.file +
           "' is not linted: no compile database says that it is CUDA";
  return std::string();
}

class DocumentLinter {
public:
  DocumentLinter(const LintRequest &request, const Options &options)
      : request_(request), options_(options), names_(request.file),
        places_(options.sources.buffers) {}

  Shown lint();

private:
  void lintHeader();
  bool lintSource(const std::string &source);
  void show(const Report &report, const std::string &source);
  void addNotes(const std::vector<CostedKernel> &kernels);
  void keepRegisters(const Compiled &compiled);
  void addRegisters(const Finding &finding, const lsp::Range &where);
  void add(HoverNote note);
  void leaveOutRefuted(std::vector<Finding> &findings);

  const LintRequest &request_;
  Options options_;
  const EditorNames names_;
  EditorPlaces places_;
  std::mutex one_; ///< guards what is shown on hover, and the registers
  /// Who holds them, by kernel and architecture.
  std::map<std::pair<std::string, std::string>, std::string> registers_;
  Shown shown_;
};

void DocumentLinter::addNotes(const std::vector<CostedKernel> &kernels) {
  for (const CostedKernel &kernel : kernels)
    for (AccessRow &row : accessRows(kernel)) {
      row.access.place.file = names_.of(row.access.place.file);
      if (row.access.place.file != request_.file ||
          row.cost.space == Space::Constant)
        continue;
      HoverNote note = noteOf(row, places_);
      std::lock_guard<std::mutex> lock(one_);
      add(std::move(note));
    }
}

void DocumentLinter::add(HoverNote note) {
  if (none_of(shown_.hovers, [&](const HoverNote &other) {
        return other.text == note.text && other.where == note.where;
      }))
    shown_.hovers.push_back(std::move(note));
}

void DocumentLinter::keepRegisters(const Compiled &compiled) {
  std::lock_guard<std::mutex> lock(one_);
  for (const CompiledUnit &unit : compiled.units)
    for (const CompiledKernel &kernel : unit.kernels)
      if (std::string words = registersInWords(kernel); !words.empty())
        registers_[{normalisedKernelName(kernel.usage.kernel),
                    unit.architecture}] = std::move(words);
}

/// A kernel's finding says who holds the registers where most are live.
void DocumentLinter::addRegisters(const Finding &finding,
                                  const lsp::Range &where) {
  constexpr size_t most = 3;
  size_t shown = 0;
  for (const FindingKernel &kernel : finding.kernels) {
    auto found = registers_.find(
        {normalisedKernelName(kernel.mangled), kernel.architecture});
    if (found == registers_.end() || ++shown > most)
      continue;
    add({{where},
         utf8(formatv("**registers** of `{0}`{1}: {2}", kernel.name,
                      found->first.second.empty() ? ""
                                                  : ", " + found->first.second,
                      found->second)
                  .str())});
  }
}

/// Without compiling, a finding that the compiled code refuted before stays
/// refuted while its statement is unchanged.
void DocumentLinter::leaveOutRefuted(std::vector<Finding> &findings) {
  const std::vector<Fingerprint> prints =
      fingerprints(findings, options_.sources.buffers);
  const std::set<std::string> refuted(request_.refuted.begin(),
                                      request_.refuted.end());
  std::vector<Finding> left;
  for (size_t i = 0; i < findings.size(); ++i) {
    const bool isRefuted = findings[i].verdict() == Verdict::Refuted;
    if (isRefuted)
      shown_.refuted.push_back(prints[i].text);
    if (options_.output.refuted ||
        (!isRefuted && !refuted.count(prints[i].text)))
      left.push_back(std::move(findings[i]));
  }
  findings = std::move(left);
}

void DocumentLinter::show(const Report &report, const std::string &source) {
  shown_.notes = report.notes;
  // A run for a header reports on the header only; its source has its own run.
  const bool isHeaders = source != request_.file;
  for (const Finding &finding : report.findings) {
    const std::string file = names_.of(finding.place.file);
    if (isHeaders && file != request_.file)
      continue;
    EditorDiagnostic diagnostic = diagnosticOf(finding, places_);
    if (diagnostic.fix)
      diagnostic.fix->file = names_.of(diagnostic.fix->file);
    if (file == request_.file)
      addRegisters(finding, diagnostic.range);
    shown_.diagnostics[file].push_back(std::move(diagnostic));
  }
  // Once, even if several commands compile it.
  if (!report.unread.empty())
    shown_.diagnostics[request_.file].push_back(
        diagnosticOf(report.unread.front(), report, request_.file, places_));
}

/// True if the document was read.
bool DocumentLinter::lintSource(const std::string &source) {
  shown_ = {};
  registers_.clear();
  options_.sources.paths = {source};
  auto report = check(options_, [&](const CompiledSource &compiled,
                                    const std::vector<CostedKernel> &kernels) {
    addNotes(kernels);
    keepRegisters(compiled.compiled);
  });
  if (!report) {
    shown_.failure = toString(report.takeError());
    return true;
  }
  for (const std::string &file : report->files)
    shown_.files.insert(names_.of(file));
  leaveOutRefuted(report->findings);
  show(*report, source);
  // The includes of a source with errors are unknown.
  return shown_.files.count(request_.file) || source == request_.through;
}

void DocumentLinter::lintHeader() {
  auto sources = sourcesOf(request_, options_);
  if (!sources) {
    shown_.failure = toString(sources.takeError());
    return;
  }
  // Conditional compilation keeps some of these sources from including it.
  constexpr size_t most = 4;
  for (const std::string &source : ArrayRef(*sources).take_front(most))
    if (lintSource(source)) {
      shown_.through = source;
      return;
    }
  shown_ = {};
  const std::string text =
      "'" + request_.file + "' is not linted: no CUDA source under '" +
      projectOf(request_.file, request_.folder) +
      "' includes it, and headers are read through the sources that do";
  (isCudaByName(request_) ? shown_.failure : shown_.notes.emplace_back()) =
      text;
}

Shown DocumentLinter::lint() {
  auto why = whyNot(request_, options_);
  if (!why)
    shown_.failure = toString(why.takeError());
  else if (!why->empty())
    shown_.notes = {*why};
  else if (isHeader(request_.file))
    lintHeader();
  else
    lintSource(request_.file);
  return std::move(shown_);
}

} // namespace

Shown lintDocument(const LintRequest &request, Options options) {
  options.compiling.registers = RegistersOf::Many;
  if (options.compiling.judge && !request.judge) {
    options.compiling.judge = false;
    options.compiling.whyNotJudged = "compiled when it is saved";
  }
  return DocumentLinter(request, options).lint();
}

static json::Value toJSON(const EditorFix &fix) {
  json::Array edits;
  for (const lsp::TextEdit &edit : fix.edits)
    edits.push_back(lsp::toJSON(edit));
  return json::Object{{"title", fix.title},
                      {"file", fix.file},
                      {"preferred", fix.isPreferred},
                      {"edits", std::move(edits)}};
}

static bool fromJSON(const json::Value &value, EditorFix &fix,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("title", fix.title) && map.map("file", fix.file) &&
         map.map("preferred", fix.isPreferred) && map.map("edits", fix.edits);
}

json::Value toJSON(const EditorDiagnostic &diagnostic) {
  json::Value result =
      lsp::toJSON(static_cast<const lsp::Diagnostic &>(diagnostic));
  if (!diagnostic.code.empty())
    (*result.getAsObject())["code"] = diagnostic.code;
  if (diagnostic.fix)
    (*result.getAsObject())["data"] = toJSON(*diagnostic.fix);
  return result;
}

bool fromJSON(const json::Value &value, EditorDiagnostic &diagnostic,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map &&
         lsp::fromJSON(value, static_cast<lsp::Diagnostic &>(diagnostic),
                       path) &&
         map.mapOptional("code", diagnostic.code) &&
         map.map("data", diagnostic.fix);
}

static json::Value toJSON(const HoverNote &note) {
  return json::Object{{"where", json::Array(note.where)}, {"text", note.text}};
}

static bool fromJSON(const json::Value &value, HoverNote &note,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("where", note.where) && map.map("text", note.text);
}

json::Value toJSON(const Shown &shown) {
  json::Object diagnostics;
  for (const auto &[file, all] : shown.diagnostics)
    diagnostics[file] = json::Array(all);
  return json::Object{{"diagnostics", std::move(diagnostics)},
                      {"files", json::Array(shown.files)},
                      {"through", shown.through},
                      {"hovers", json::Array(shown.hovers)},
                      {"refuted", json::Array(shown.refuted)},
                      {"notes", json::Array(shown.notes)},
                      {"failure", shown.failure}};
}

bool fromJSON(const json::Value &value, Shown &shown, json::Path path) {
  json::ObjectMapper map(value, path);
  std::vector<std::string> files;
  const bool isGood =
      map && map.map("diagnostics", shown.diagnostics) &&
      map.map("files", files) && map.map("through", shown.through) &&
      map.map("hovers", shown.hovers) && map.map("refuted", shown.refuted) &&
      map.map("notes", shown.notes) && map.map("failure", shown.failure);
  shown.files.insert(files.begin(), files.end());
  return isGood;
}

} // namespace warplint
