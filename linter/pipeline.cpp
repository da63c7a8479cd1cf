#include "pipeline.h"
#include "compiled/compile.h"
#include "findings/check.h"
#include "findings/judge.h"
#include "findings/suppress.h"
#include "input/suggest.h"
#include "input/translate.h"
#include "report/progress.h"
#include "source/read.h"
#include "workers.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

namespace warplint {

namespace {

/// One source on its way down the line.
struct Work {
  Command command;
  std::vector<std::string> arguments; ///< spliced
  Translation translation;
  std::optional<Toolkit> toolkit;
  SourceModel model;
  std::string whyNot; ///< a sentence if nothing of it could be read
};

struct Batch {
  std::vector<Work> sources;
  std::vector<std::string> notes;
};

llvm::Error failure(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// Clang's own headers: told, or where they were when warplint was built.
llvm::Expected<std::string> resourceDir(const Options &options) {
  std::string folder =
      options.resourceDir.empty() ? WARPLINT_RESOURCE_DIR : options.resourceDir;
  if (llvm::sys::fs::exists(folder + "/include/__clang_cuda_builtin_vars.h"))
    return folder;
  return failure("Clang's resource directory is not at '" + folder +
                 "'; --resource-dir tells where it is");
}

/// A toolkit that was asked for by name and is none would silently give way to
/// another.
llvm::Error expectToolkit(const std::string &cudaPath) {
  if (cudaPath.empty() || !includeFolder(cudaPath).empty())
    return llvm::Error::success();
  return failure("'--cuda-path " + cudaPath +
                 "' is no CUDA toolkit: there is no cuda.h in its include/");
}

std::optional<Shape> givenShape(const Options &options) {
  if (options.block.empty())
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 3> parts;
  llvm::StringRef(options.block).split(parts, 'x');
  Shape shape;
  unsigned *dimensions[] = {&shape.x, &shape.y, &shape.z};
  for (size_t i = 0; i < parts.size() && i < 3; ++i)
    parts[i].getAsInteger(10, *dimensions[i]);
  return shape;
}

void readOne(Work &work, const Options &options,
             const std::string &resourceDir) {
  const bool cover =
      options.command == CommandName::Accesses && options.summary;
  auto arguments = fullArguments(work.command);
  if (!arguments) {
    work.whyNot = llvm::toString(arguments.takeError());
    return;
  }
  work.arguments = std::move(*arguments);
  work.toolkit = findToolkit(work.command, options.cudaPath);
  work.translation = translate(work.arguments, work.toolkit);
  if (!options.architectures.empty())
    work.translation.architectures = options.architectures;
  auto model = readSource(work.command, work.translation, work.toolkit,
                          resourceDir, cover);
  if (model)
    work.model = std::move(*model);
  else
    work.whyNot = llvm::toString(model.takeError());
}

/// A name that means another kernel in each source: static, or in an unnamed
/// namespace.
bool isInternal(llvm::StringRef mangled) {
  return mangled.starts_with("_ZL") || mangled.contains("_GLOBAL__N_");
}

/// A kernel may be launched from another source.
void settleAllShapes(Batch &batch, const Options &options) {
  std::vector<Launch> anywhere;
  for (const Work &work : batch.sources)
    llvm::copy_if(
        work.model.launches, std::back_inserter(anywhere),
        [](const Launch &launch) { return !isInternal(launch.kernel); });
  for (Work &work : batch.sources) {
    std::vector<Launch> launches = work.model.launches;
    llvm::append_range(launches, anywhere);
    settleShapes(work.model.kernels, launches, givenShape(options));
  }
}

llvm::Expected<Batch> read(const Options &options) {
  auto resources = resourceDir(options);
  if (!resources)
    return resources.takeError();
  if (llvm::Error error = expectToolkit(options.cudaPath))
    return error;
  auto sources = findSources(options.sources);
  if (!sources)
    return sources.takeError();
  Batch batch;
  batch.notes = std::move(sources->notes);
  for (Command &command : sources->commands) {
    batch.sources.emplace_back();
    batch.sources.back().command = std::move(command);
  }
  {
    Progress progress("reading", batch.sources.size());
    forEachInParallel(
        batch.sources.size(), options.threads,
        [&](size_t i) {
          progress.step(batch.sources[i].command.source);
          readOne(batch.sources[i], options, *resources);
        },
        [&](size_t i) {
          batch.sources[i].model = {};
          batch.sources[i].whyNot = "reading it ended in a crash";
        });
  }
  settleAllShapes(batch, options);
  return batch;
}

std::string errorText(const ParseError &error) {
  if (error.file.empty())
    return error.text;
  return llvm::sys::path::filename(error.file).str() + ":" +
         std::to_string(error.line) + ": " + error.text;
}

/// "not followed: recursion in 'f', in kernel 'k'": what happens there is
/// neither costed nor checked.
void addNotFollowed(const Batch &batch, Report &report) {
  std::map<std::string, std::set<std::string>> kernels; // by what is not
  for (const Work &work : batch.sources)
    for (const Kernel &kernel : work.model.kernels)
      for (const std::string &what : kernel.notFollowed)
        kernels[what].insert(kernel.name);
  constexpr size_t shown = 5;
  size_t left = kernels.size();
  for (const auto &[what, names] : kernels) {
    if (kernels.size() - left == shown)
      break;
    --left;
    std::string in = "kernel '" + *names.begin() + "'";
    if (names.size() > 1)
      in += " and " + std::to_string(names.size() - 1) + " more";
    report.notes.push_back("not followed: " + what + ", in " + in);
  }
  if (left)
    report.notes.push_back("not followed: " + std::to_string(left) +
                           " more; 'warplint accesses --summary' lists them");
}

/// What the report says of sources beside their findings.
Report summary(const Batch &batch) {
  Report report;
  report.notes = batch.notes;
  bool anyToolkit = false;
  // A piece of a source has errors on its own, and none where it is included.
  std::set<Place> read;
  for (const Work &work : batch.sources)
    for (const Kernel &kernel : work.model.kernels)
      read.insert(kernel.place);
  for (const Work &work : batch.sources) {
    anyToolkit |= work.toolkit.has_value();
    report.kernelsRead += work.model.kernels.size();
    // With errors and without kernels nothing of it was understood.
    if (work.whyNot.empty() &&
        (work.model.errors.empty() || !work.model.kernels.empty()))
      ++report.sourcesRead;
    if (!work.whyNot.empty())
      report.unread.push_back({work.command.source, work.whyNot, false});
    else if (!work.model.errors.empty())
      report.unread.push_back({work.command.source,
                               errorText(work.model.errors.front()),
                               !work.model.kernels.empty()});
  }
  for (const Work &work : batch.sources)
    for (const DroppedKernel &kernel : work.model.notRead)
      if (!read.count(kernel.place))
        report.unreadKernels.push_back({work.command.source, kernel.name,
                                        "it, or a function it calls, has an "
                                        "error: " +
                                            errorText(kernel.error)});
  addNotFollowed(batch, report);
  if (!anyToolkit && report.sourcesRead)
    report.notes.push_back("no CUDA toolkit was found: sources were read with "
                           "a stand-in for its headers");
  return report;
}

llvm::Expected<std::vector<const Check *>>
enabledChecks(const Options &options) {
  std::vector<const Check *> enabled;
  if (options.enabled.empty()) {
    for (const Check &check : checks())
      if (options.allChecks || check.info.level != Level::Opinion)
        enabled.push_back(&check);
    return enabled;
  }
  for (const std::string &id : options.enabled) {
    const Check *check = findCheck(id);
    if (!check)
      return unknownCheck(id);
    if (!llvm::is_contained(enabled, check))
      enabled.push_back(check);
  }
  return enabled;
}

std::vector<Finding> inspect(const std::vector<CostedKernel> &kernels,
                             const std::vector<const Check *> &enabled) {
  std::vector<Finding> found;
  for (const CostedKernel &costs : kernels)
    for (const Check *check : enabled) {
      if (!check->inspect)
        continue;
      Findings findings(check->info, costs.kernel, found);
      check->inspect(costs, findings);
    }
  return found;
}

/// A place in a header of the toolkit, such as a kernel of Thrust that does not
/// call anything of the user's, is nothing that the user can change.
void dropToolkitsOwn(std::vector<Finding> &findings, const Work &work) {
  if (!work.toolkit)
    return;
  llvm::SmallString<256> root(work.toolkit->root);
  llvm::sys::path::append(root, "");
  llvm::erase_if(findings, [&](const Finding &finding) {
    return llvm::StringRef(finding.place.file).starts_with(root);
  });
}

/// Whether something that only compiled code shows is looked for.
bool asksCompiledCode(const Check *check) {
  return check->inspectCompiled != nullptr;
}

/// A spill that nobody could look for is not an absent one.
void noteNotCompiled(const std::vector<std::string> &whyNot,
                     const std::vector<const Check *> &enabled,
                     Report &report) {
  auto isReason = [](const std::string &why) { return !why.empty(); };
  auto first = llvm::find_if(whyNot, isReason);
  auto asking = llvm::find_if(enabled, asksCompiledCode);
  if (first == whyNot.end() || asking == enabled.end())
    return;
  const size_t sources = llvm::count_if(whyNot, isReason);
  report.notes.push_back(
      (sources == 1 ? std::string("1 source was")
                    : std::to_string(sources) + " sources were") +
      " not compiled, so '" + std::string((*asking)->info.id) +
      "' says nothing there: " + *first);
}

/// What there is to judge by, or in `whyNot` the reason why there is nothing.
Compiled compiledFor(const Work &work, const Options &options) {
  Compiled compiled;
  if (!options.judge)
    compiled.whyNot = "not compiled (--no-judge)";
  else if (!work.toolkit || work.toolkit->nvcc.empty())
    compiled.whyNot = "no nvcc found";
  else
    compiled = compile(work.command, work.arguments, *work.toolkit,
                       work.translation.architectures);
  return compiled;
}

} // namespace

/// What the source allows, with a reason, is no finding.
static void applyAllowances(Report &report, const Batch &batch,
                            const std::vector<const Check *> &ran) {
  std::vector<std::string> sources, known, ranIds;
  for (const Work &work : batch.sources)
    sources.push_back(work.command.source);
  for (const Check &check : checks())
    known.emplace_back(check.info.id);
  for (const Check *check : ran)
    ranIds.emplace_back(check->info.id);
  Suppressed result =
      suppress(std::move(report.findings), sources, known, ranIds);
  report.findings = std::move(result.findings);
  llvm::append_range(report.notes, result.notes);
}

llvm::Error unknownCheck(const std::string &id) {
  std::vector<std::string> ids;
  for (const Check &check : checks())
    ids.emplace_back(check.info.id);
  std::string near = nearest(id, ids);
  return failure("there is no check '" + id + "'" +
                 (near.empty() ? "; 'warplint checks' lists them"
                               : "; did you mean '" + near + "'?"));
}

llvm::Expected<Report> check(const Options &options) {
  auto enabled = enabledChecks(options);
  if (!enabled)
    return enabled.takeError();
  auto batch = read(options);
  if (!batch)
    return batch.takeError();
  Report report = summary(*batch);

  const bool compiledCodeIsAsked = llvm::any_of(*enabled, asksCompiledCode);
  std::vector<std::vector<Finding>> found(batch->sources.size());
  std::vector<std::string> crashes(batch->sources.size()),
      notCompiled(batch->sources.size());
  {
    Progress progress("judging", batch->sources.size());
    forEachInParallel(
        batch->sources.size(), options.threads,
        [&](size_t i) {
          Work &work = batch->sources[i];
          progress.step(work.command.source);
          std::vector<CostedKernel> costs;
          for (const Kernel &kernel : work.model.kernels)
            costs.push_back(costed(kernel));
          found[i] = inspect(costs, *enabled);
          dropToolkitsOwn(found[i], work);
          // Only a source with something to judge is compiled.
          if (found[i].empty() && (costs.empty() || !compiledCodeIsAsked))
            return;
          const Compiled compiled = compiledFor(work, options);
          if (options.judge)
            notCompiled[i] = compiled.whyNot;
          judge(found[i], costs, compiled, *enabled);
          dropToolkitsOwn(found[i], work);
        },
        [&](size_t i) { crashes[i] = "linting it ended in a crash"; });
  }
  for (size_t i = 0; i < found.size(); ++i) {
    if (!crashes[i].empty())
      report.unread.push_back(
          {batch->sources[i].command.source, crashes[i], false});
    report.findings.insert(report.findings.end(),
                           std::make_move_iterator(found[i].begin()),
                           std::make_move_iterator(found[i].end()));
  }
  noteNotCompiled(notCompiled, *enabled, report);
  report.findings = mergeFindings(std::move(report.findings));
  applyAllowances(report, *batch, *enabled);
  return report;
}

llvm::Expected<AccessReport> accesses(const Options &options) {
  auto batch = read(options);
  if (!batch)
    return batch.takeError();
  AccessReport result;
  result.report = summary(*batch);
  std::vector<std::vector<AccessRow>> rows(batch->sources.size());
  std::vector<std::string> crashes(batch->sources.size());
  forEachInParallel(
      rows.size(), options.threads,
      [&](size_t i) {
        for (const Kernel &kernel : batch->sources[i].model.kernels)
          for (AccessRow &row : accessRows(kernel))
            rows[i].push_back(std::move(row));
      },
      [&](size_t i) {
        rows[i].clear();
        crashes[i] = "linting it ended in a crash";
      });
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!crashes[i].empty())
      result.report.unread.push_back(
          {batch->sources[i].command.source, crashes[i], false});
    result.rows.insert(result.rows.end(),
                       std::make_move_iterator(rows[i].begin()),
                       std::make_move_iterator(rows[i].end()));
  }
  return result;
}

llvm::Expected<SummaryReport> summarise(const Options &options) {
  auto batch = read(options);
  if (!batch)
    return batch.takeError();
  SummaryReport result;
  result.report = summary(*batch);
  std::vector<std::vector<KernelTally>> tallies(batch->sources.size());
  std::vector<std::string> crashes(batch->sources.size());
  Progress progress("counting", tallies.size());
  forEachInParallel(
      tallies.size(), options.threads,
      [&](size_t i) {
        Work &work = batch->sources[i];
        progress.step(work.command.source);
        for (size_t k = 0; k < work.model.kernels.size(); ++k) {
          tallies[i].push_back(tally(work.model.kernels[k]));
          tallies[i].back().coverage = std::move(work.model.coverage[k]);
        }
        work.model = {};
      },
      [&](size_t i) {
        tallies[i].clear();
        crashes[i] = "linting it ended in a crash";
      });
  for (size_t i = 0; i < tallies.size(); ++i) {
    if (!crashes[i].empty())
      result.report.unread.push_back(
          {batch->sources[i].command.source, crashes[i], false});
    for (const KernelTally &kernel : tallies[i])
      result.summary.add(kernel);
  }
  return result;
}

llvm::Expected<Report>
compileEach(const Options &options,
            llvm::function_ref<void(const CompiledSource &)> use) {
  auto batch = read(options);
  if (!batch)
    return batch.takeError();
  Progress progress("compiling", batch->sources.size());
  auto hand = [&](const Work &work, const Compiled &compiled) {
    use({work.command, work.arguments, work.toolkit, work.model.kernels,
         compiled});
  };
  forEachInParallel(
      batch->sources.size(), options.threads,
      [&](size_t i) {
        progress.step(batch->sources[i].command.source);
        hand(batch->sources[i], compiledFor(batch->sources[i], options));
      },
      [&](size_t i) {
        Compiled crashed;
        crashed.whyNot = "reading what nvcc made of it ended in a crash";
        hand(batch->sources[i], crashed);
      });
  return summary(*batch);
}

} // namespace warplint
