#include "run/outcome.h"
#include "base/folders.h"
#include "base/plural.h"
#include "base/readable_name.h"
#include "base/regular_file.h"
#include "findings/check.h"
#include "findings/suppress.h"
#include "findings/worse_kernel.h"
#include "input/cuda_switch.h"
#include "input/database.h"
#include "input/find_headers.h"
#include "input/search_flags.h"
#include "input/walk.h"
#include "report/text.h"
#include "run/compile_sources.h"
#include "run/undefined_macros.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <map>
#include <tuple>

namespace warplint {

namespace {

std::string errorText(const ParseError &error) {
  if (error.file.empty())
    return error.text;
  return llvm::sys::path::filename(error.file).str() + ":" +
         std::to_string(error.line) + ": " + error.text;
}

/// Adds notes such as "not followed: recursion in 'f', in kernel 'k'". That
/// code is neither costed nor checked.
void addNotFollowed(const Outcomes &outcomes, Report &report) {
  std::map<std::string, std::set<std::string>> kernels; // by what is not
  for (const SourceOutcome &source : outcomes.sources)
    for (const KernelOutline &kernel : source.outline.kernels)
      for (const std::string &what : kernel.notFollowed)
        kernels[what].insert(kernel.name);
  constexpr size_t shown = 5;
  size_t left = kernels.size();
  for (const auto &[what, names] : kernels) {
    if (kernels.size() - left == shown)
      break;
    --left;
    constexpr size_t longest = 100;
    std::string in =
        "kernel '" + abbreviatedName(*names.begin(), longest) + "'";
    if (names.size() > 1)
      in += " and " + std::to_string(names.size() - 1) + " more";
    report.notes.push_back("not followed: " + what + ", in " + in);
  }
  if (left)
    report.notes.push_back("not followed: " + std::to_string(left) +
                           " more; 'warplint accesses --summary' lists them");
}

/// True for "'climits' file not found" on a machine without a C++ compiler.
bool lacksStandardHeader(const ParseError &error) {
  llvm::StringRef name = error.text;
  return name.consume_back(" file not found") && !name.contains('.') &&
         !name.contains('/') && !llvm::sys::findProgramByName("g++") &&
         !llvm::sys::findProgramByName("clang++");
}

/// The sources with errors that others include which were read whole: a part of
/// a program, such as `#include "kernel.cu"`, is no loss where it cannot be
/// read or compiled by itself.
std::set<std::string> readAsParts(const Outcomes &outcomes) {
  auto isRead = [](const SourceOutcome &source) {
    return source.outline.whyNot.empty() && source.outline.errors.empty();
  };
  llvm::StringSet<> failed; // sources include thousands of files
  for (const SourceOutcome &source : outcomes.sources)
    if (!isRead(source) || !source.linted.compile.whyNot.empty())
      failed.insert(source.source);
  std::set<std::string> parts;
  if (failed.empty())
    return parts;
  for (const SourceOutcome &source : outcomes.sources)
    if (isRead(source))
      for (const std::string &file : source.outline.userFiles)
        if (file != source.source && failed.contains(file))
          parts.insert(file);
  return parts;
}

/// "foo.h" of "'foo.h' file not found", whatever Clang adds, such as that
/// quotes would find it where angles do not; else empty.
llvm::StringRef missingHeader(const ParseError &error) {
  llvm::StringRef name(error.text), rest;
  std::tie(name, rest) = name.split("' file not found");
  return name.size() < error.text.size() && name.consume_front("'") ? name : "";
}

/// Adds a note on what a clone of the source's project lacks.
void addEmptySubmodules(llvm::StringRef source, Report &report) {
  const std::vector<std::string> empty =
      emptySubmodules(projectOf(llvm::sys::path::parent_path(source)));
  if (empty.empty())
    return;
  report.notes.push_back(
      "'" + empty.front() + "'" +
      (empty.size() > 1
           ? " and " + counted(empty.size() - 1, "more submodule") +
                 " of the project are empty: "
           : ", a submodule of the project, is empty: ") +
      "'git submodule update --init' fetches " +
      (empty.size() > 1 ? "them" : "it"));
}

/// PyTorch's headers lie in its Python package, whose folder Python knows; they
/// include Python's own. Its builds give flags without which 'a <= b' of two
/// c10::Half is ambiguous.
constexpr llvm::StringLiteral torchFolders =
    "-- $(python3 -c \"import sysconfig, torch.utils.cpp_extension as c; "
    "print(*('-I' + p for p in [*c.include_paths(), "
    "sysconfig.get_path('include')]), *c.COMMON_NVCC_FLAGS)\")";

bool isOfTorch(const MissingHeader &header) {
  const llvm::StringRef name = header.name;
  return name.starts_with("torch/") || name.starts_with("ATen/") ||
         name.starts_with("c10/");
}

/// The name of a header of a newer C++ library than the one that is installed,
/// <format>: only that library's have neither an extension nor a capital.
llvm::StringRef headerOfNewerLibrary(const SourceOutcome &source) {
  const auto &errors = source.outline.errors;
  if (errors.empty() || lacksStandardHeader(errors.front()))
    return "";
  const llvm::StringRef name = missingHeader(errors.front());
  const bool isPlain = llvm::all_of(name, [](char c) {
    return llvm::isLower(c) || llvm::isDigit(c) || c == '_';
  });
  return isPlain ? name : "";
}

/// Adds a note on how to name the folders of headers that were not found.
/// Kokkos and the C++ library have notes of their own.
void addMissingHeaders(const Outcomes &outcomes,
                       const std::set<std::string> &parts, Report &report) {
  std::vector<MissingHeader> lacking;
  bool anyBare = false;
  for (const SourceOutcome &source : outcomes.sources) {
    if (source.outline.errors.empty() || parts.count(source.source))
      continue;
    const ParseError &error = source.outline.errors.front();
    const llvm::StringRef name = missingHeader(error);
    if (name.empty() || name == "Kokkos_Core.hpp" ||
        llvm::sys::path::is_absolute(name) || // no folder leads to it
        lacksStandardHeader(error) || !headerOfNewerLibrary(source).empty())
      continue;
    lacking.push_back({source.source, name.str()});
    anyBare |= source.isBare;
  }
  if (lacking.empty())
    return;
  std::string text = "'" + lacking.front().name + "' was not found for " +
                     llvm::sys::path::filename(lacking.front().source).str();
  if (lacking.size() > 1)
    text += ", nor headers of " + counted(lacking.size() - 1, "more source");
  const std::vector<std::string> folders = foldersOf(lacking);
  std::string flags;
  for (const std::string &folder : folders)
    flags += " -I" + shownPath(folder, currentFolder()).str();
  const bool areAll = llvm::all_of(lacking, [&](const MissingHeader &header) {
    return llvm::any_of(folders, [&](const std::string &folder) {
      return llvm::sys::fs::exists(pathIn(folder, header.name));
    });
  });
  const bool isOne = folders.size() == 1;
  const std::string which =
      areAll ? (isOne ? "the folder that has it" : "folders that have them")
             : (isOne ? "a folder" : "folders") +
                   std::string(" with some of them");
  const std::string ours = folders.empty()
                               ? "'-- -IDIR' names a folder of headers"
                               : "'--" + flags + "' names " + which;
  report.notes.push_back(text + ": " +
                         (anyBare
                              ? "'-p BUILD' takes the flags of a build with a "
                                "compile_commands.json, and "
                              : "") +
                         ours);
  if (const auto torch = llvm::find_if(lacking, isOfTorch);
      torch != lacking.end())
    report.notes.push_back("'" + torch->name +
                           "' is a header of PyTorch, and this names its "
                           "folders: " +
                           torchFolders.str());
  addEmptySubmodules(lacking.front().source, report);
}

/// "USE_MPI=0" where the line of an #error says so: "specify USE_MPI=0 or
/// USE_MPI=1"; else the name alone.
std::string withValueOf(llvm::StringRef text, unsigned line,
                        const std::string &name) {
  while (--line)
    text = text.split('\n').second;
  text = text.split('\n').first;
  const size_t at = text.find(name + "=");
  if (at == llvm::StringRef::npos)
    return name;
  const llvm::StringRef value =
      text.drop_front(at + name.size() + 1).take_while(llvm::isAlnum);
  return value.empty() ? name : (name + "=" + value).str();
}

/// Adds a note on how to define what an #error asks for, once for what several
/// headers ask for.
void addUndefined(const Outcomes &outcomes, const std::set<std::string> &parts,
                  const Buffers &buffers, Report &report) {
  std::set<std::pair<std::string, unsigned>> seen;
  std::set<std::vector<std::string>> told;
  auto add = [&](const SourceOutcome &source, const std::string &file,
                 unsigned line) {
    if (file.empty() || !line || !seen.insert({file, line}).second)
      return;
    const auto text = readText(file, buffers);
    WantedMacros wanted =
        text ? macrosOfError(text->getBuffer(), line) : WantedMacros();
    if (source.isBare) // these are defined there
      llvm::erase_if(wanted.names, isCudaSwitch);
    if (wanted.names.empty() || !told.insert(wanted.names).second)
      return;
    const bool isOne = wanted.names.size() == 1;
    const std::string first =
        withValueOf(text->getBuffer(), line, wanted.names.front());
    report.notes.push_back(
        "the #error at " + llvm::sys::path::filename(file).str() + ":" +
        std::to_string(line) + " asks for '" +
        llvm::join(wanted.names, wanted.isAny ? "' or '" : "' and '") +
        "': '-- -D" + first + "' defines " + (isOne ? "it" : "the first"));
  };
  for (const SourceOutcome &source : outcomes.sources) {
    if (source.outline.errors.empty() || parts.count(source.source))
      continue;
    add(source, source.errorPlace.file, source.errorPlace.line);
    // That of a kernel may stand behind a missing header.
    for (const DroppedKernel &kernel : source.outline.notRead)
      if (llvm::sys::path::is_absolute(kernel.error.file))
        add(source, kernel.error.file, kernel.error.line);
  }
}

/// Adds a note on each kernel template with more instances than are read.
void addLeftOut(const Outcomes &outcomes, Report &report) {
  for (const SourceOutcome &source : outcomes.sources)
    for (const InstancesLeftOut &leftOut : source.outline.leftOut)
      report.notes.push_back(
          "kernel '" + leftOut.kernel + "' has " +
          std::to_string(leftOut.instances) + " instances in " +
          llvm::sys::path::filename(source.source).str() +
          " that differ in numbers alone: " +
          std::to_string(leftOut.instances - leftOut.mangled.size()) +
          " of them were read");
}

/// Adds a note on the sources whose kernels the compiler does not see.
void addHiddenKernels(const Outcomes &outcomes, Report &report) {
  auto isHidden = [](const SourceOutcome &source) {
    return !source.outline.kernelsBehind.empty() &&
           source.outline.errors.empty();
  };
  auto first = llvm::find_if(outcomes.sources, isHidden);
  if (first == outcomes.sources.end())
    return;
  const size_t sources = llvm::count_if(outcomes.sources, isHidden);
  report.notes.push_back(
      "the kernels of " + llvm::sys::path::filename(first->source).str() +
      " lie behind '" + first->outline.kernelsBehind + "'" +
      (sources > 1 ? ", and those of " + counted(sources - 1, "more source") +
                         " behind conditions"
                   : "") +
      " that no flag meets: they were not read; '-- -DNAME' defines a macro");
}

/// Adds a note on the sources whose device functions no kernel in them uses.
void addWithoutKernels(const Outcomes &outcomes, Report &report) {
  auto isWithout = [](const SourceOutcome &source) {
    const SourceOutline &outline = source.outline;
    return outline.hasDeviceFunctions && outline.errors.empty() &&
           !isHeader(source.source) && outline.kernels.empty() &&
           outline.notRead.empty() && outline.templates.empty() &&
           outline.libraryKernels.empty() && source.linted.onlyCompiled.empty();
  };
  auto first = llvm::find_if(outcomes.sources, isWithout);
  if (first == outcomes.sources.end())
    return;
  const size_t sources = llvm::count_if(outcomes.sources, isWithout);
  std::string text = llvm::sys::path::filename(first->source).str();
  if (sources > 1)
    text += " and " + counted(sources - 1, "more source");
  report.notes.push_back(
      text + (sources == 1 ? " has" : " have") +
      " device functions and no kernel, and only kernels are checked");
}

/// Adds notes on the kernel templates that no source instantiates: they have no
/// code. In a source with errors, an error may hide what instantiates them.
/// `read` has the places of the kernels that were read.
void addTemplates(const Outcomes &outcomes, const std::set<Place> &read,
                  Report &report) {
  std::map<Place, std::string> idle, hidden;
  for (const SourceOutcome &source : outcomes.sources)
    for (const KernelTemplate &kernel : source.outline.templates)
      if (!read.count(kernel.place))
        (source.outline.errors.empty() ? idle : hidden)
            .insert({kernel.place, kernel.name});
  for (const auto &[place, name] : hidden)
    idle.erase(place);
  report.kernelTemplatesIdle = idle.size() + hidden.size();
  auto add = [&](const std::map<Place, std::string> &templates,
                 llvm::StringRef consequence) {
    if (templates.empty())
      return;
    const auto &[place, name] = *templates.begin();
    std::string text = "the kernel template '" + name + "' at " +
                       llvm::sys::path::filename(place.file).str() + ":" +
                       std::to_string(place.line);
    if (templates.size() > 1)
      text += ", and " + std::to_string(templates.size() - 1) + " more,";
    report.notes.push_back(text + (templates.size() > 1 ? " are" : " is") +
                           consequence.str());
  };
  add(idle, " not instantiated, and only instances are checked");
  add(hidden, " not instantiated in a source with errors, which may hide "
              "launches: only instances are checked");
}

/// Adds the kernels that the compiler made and Clang did not.
void addOnlyCompiled(const SourceOutcome &source, Report &report) {
  std::string why = "the compiler made it, and Clang's reading of the source "
                    "does not have it";
  if (!source.outline.errors.empty())
    why +=
        ", perhaps for an error: " + errorText(source.outline.errors.front());
  for (const std::string &mangled : source.linted.onlyCompiled)
    report.unreadKernels.push_back(
        {source.source, readableKernelName(mangled), why});
}

/// Adds the notes of each source, with its name.
void addOwnNotes(const Outcomes &outcomes, Report &report) {
  for (const SourceOutcome &source : outcomes.sources)
    for (const std::string &note : source.notes)
      report.notes.push_back(llvm::sys::path::filename(source.source).str() +
                             ": " + note);
}

void countKernels(const SourceOutline &outline, Report &report) {
  report.kernelsRead += outline.kernels.size();
  report.kernelsInPart +=
      llvm::count_if(outline.kernels, [](const KernelOutline &kernel) {
        return !kernel.notFollowed.empty();
      });
}

} // namespace

Report summary(const Outcomes &outcomes, const Buffers &buffers) {
  Report report;
  report.notes = outcomes.notes;
  bool anyToolkit = false;
  const std::set<std::string> parts = readAsParts(outcomes);
  // Kernels of a part count as read if an including source has them.
  std::set<Place> read;
  for (const SourceOutcome &source : outcomes.sources)
    for (const KernelOutline &kernel : source.outline.kernels)
      read.insert(kernel.place);
  for (const SourceOutcome &source : outcomes.sources) {
    anyToolkit |= source.hasToolkit;
    if (source.outline.whyNot.empty())
      countKernels(source.outline, report);
    report.files.insert(source.outline.userFiles.begin(),
                        source.outline.userFiles.end());
    const bool hasErrors =
        !source.outline.whyNot.empty() || !source.outline.errors.empty();
    if (hasErrors && parts.count(source.source))
      continue;
    // A source with errors and without kernels counts as unread.
    if (source.outline.whyNot.empty() &&
        (source.outline.errors.empty() || !source.outline.kernels.empty()))
      ++report.sourcesRead;
    if (!source.outline.whyNot.empty())
      report.unread.push_back({source.source, source.outline.whyNot, false});
    else if (!source.outline.errors.empty())
      report.unread.push_back(
          {source.source, errorText(source.outline.errors.front()),
           !source.outline.kernels.empty(), source.errorPlace});
    else
      report.sources.push_back(source.source);
  }
  for (const SourceOutcome &source : outcomes.sources)
    for (const DroppedKernel &kernel : source.outline.notRead)
      if (!read.count(kernel.place))
        report.unreadKernels.push_back({source.source, kernel.name,
                                        "it, or a function it calls, has an "
                                        "error: " +
                                            errorText(kernel.error)});
  addNotFollowed(outcomes, report);
  addMissingHeaders(outcomes, parts, report);
  addUndefined(outcomes, parts, buffers, report);
  noteUndefinedMacros(outcomes, parts, report);
  noteHiddenDeclarations(outcomes, parts, report);
  noteHeadersToInclude(outcomes, parts, report);
  addLeftOut(outcomes, report);
  addHiddenKernels(outcomes, report);
  addWithoutKernels(outcomes, report);
  addTemplates(outcomes, read, report);
  addOwnNotes(outcomes, report);
  if (llvm::any_of(outcomes.sources, [](const SourceOutcome &source) {
        return !source.outline.errors.empty() &&
               lacksStandardHeader(source.outline.errors.front());
      }))
    report.notes.push_back("no C++ compiler was found: the headers of the C++ "
                           "library come with one, such as g++");
  for (const SourceOutcome &source : outcomes.sources)
    if (llvm::StringRef name = headerOfNewerLibrary(source); !name.empty()) {
      report.notes.push_back(
          ("'" + name +
           "' is a header of a newer C++ library than the one that is "
           "installed: it comes with a newer C++ compiler, such as g++")
              .str());
      break;
    }
  if (!anyToolkit && report.sourcesRead)
    report.notes.push_back("no CUDA toolkit was found: sources were read with "
                           "a stand-in for its headers");
  return report;
}

namespace {

/// The enabled checks of a source that inspect compiled code.
std::vector<const Check *> askingIn(const SourceOutcome &source) {
  std::vector<const Check *> asking;
  for (const std::string &id : source.enabled)
    if (const Check *check = findCheck(id); check && check->inspectCompiled)
      asking.push_back(check);
  return asking;
}

/// Notes sources that could not be searched for spills and the like.
void noteNotCompiled(const Outcomes &outcomes, Report &report) {
  const std::set<std::string> parts = readAsParts(outcomes);
  auto isMissed = [&](const SourceOutcome &source) {
    return !source.linted.compile.whyNot.empty() && !askingIn(source).empty() &&
           !parts.count(source.source);
  };
  auto first = llvm::find_if(outcomes.sources, isMissed);
  if (first == outcomes.sources.end())
    return;
  const size_t sources = llvm::count_if(outcomes.sources, isMissed);
  // The others have findings of the source as well.
  const std::vector<const Check *> asking = askingIn(*first);
  auto alone =
      llvm::find_if(asking, [](const Check *check) { return !check->inspect; });
  const Check &missed = alone == asking.end() ? *asking.front() : **alone;
  report.notes.push_back(
      counted(sources, "source") + (sources == 1 ? " was" : " were") +
      " not compiled, so '" + std::string(missed.info.id) + "' " +
      (missed.inspect ? "may miss something" : "says nothing") +
      " there: " + first->linted.compile.whyNot +
      (first->linted.compile.whyNot == noNvcc
           ? "; \"pip install 'warplint[nvcc]'\" installs one, and "
             "'--cuda-path DIR' or CUDA_PATH names another toolkit"
           : ""));
}

/// The findings that a source's allowances apply to. A check that inspects
/// compiled code did not run where there is none.
SourceFindings findingsOf(SourceOutcome &source) {
  SourceFindings result{source.source, std::move(source.linted.findings),
                        source.outline.kernels};
  result.isWhole =
      source.notLinted.empty() && source.outline.whyNot.empty() &&
      source.outline.errors.empty() && source.outline.notRead.empty() &&
      source.outline.leftOut.empty() && source.linted.onlyCompiled.empty() &&
      llvm::all_of(source.outline.kernels, [](const KernelOutline &kernel) {
        return kernel.notFollowed.empty();
      });
  result.ran = source.enabled;
  if (!source.linted.compile.isWhole)
    for (const Check *asking : askingIn(source))
      llvm::erase(result.ran, asking->info.id);
  // It runs only where versions are compared.
  llvm::erase(result.ran, worseKernel().info.id);
  result.reportsIn = [&source](const std::string &file) {
    return source.reported.count(file) != 0;
  };
  result.isSilent = [&source](const std::string &file) {
    return source.outline.userFiles.count(file) &&
           !source.outline.markedFiles.count(file);
  };
  result.uselessLevel = source.uselessLevel;
  return result;
}

} // namespace

std::set<std::string> ranEverywhere(const Outcomes &outcomes) {
  std::map<std::string, size_t> sources;
  for (const SourceOutcome &source : outcomes.sources)
    for (const std::string &check : source.enabled)
      ++sources[check];
  std::set<std::string> result;
  for (const auto &[id, count] : sources)
    if (count == outcomes.sources.size())
      result.insert(id);
  return result;
}

Report conclude(Outcomes outcomes, const Buffers &buffers) {
  // Nothing is known of a source whose linting was cut off.
  for (SourceOutcome &source : outcomes.sources)
    if (!source.notLinted.empty() && source.outline.whyNot.empty())
      source.outline.whyNot = "linting it " + source.notLinted;
  Report report = summary(outcomes, buffers);
  for (const SourceOutcome &source : outcomes.sources)
    addOnlyCompiled(source, report);
  noteNotCompiled(outcomes, report);
  std::vector<std::string> ids;
  for (const Check &check : checks())
    ids.emplace_back(check.info.id);
  ids.emplace_back(worseKernel().info.id);
  std::vector<SourceFindings> sources;
  for (SourceOutcome &source : outcomes.sources)
    sources.push_back(findingsOf(source));
  Suppressed left = suppress(std::move(sources), ids, outcomes.areAll, buffers);
  report.findings = mergeFindings(std::move(left.findings));
  report.allowed = left.hidden;
  report.buffers = buffers;
  return report;
}

} // namespace warplint
