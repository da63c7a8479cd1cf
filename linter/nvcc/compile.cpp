#include "nvcc/compile.h"
#include "cache/record.h"
#include "input/compiler.h"
#include "input/include_graph.h"
#include "machine/built_code.h"
#include "machine/cubin.h"
#include "machine/launch_limits.h"
#include "machine/ptxas.h"
#include "nvcc/compile_options.h"
#include "nvcc/compile_trials.h"
#include "nvcc/disassemble.h"
#include "nvcc/judging_arguments.h"
#include "nvcc/read_by_nvcc.h"
#include "nvcc/read_registers.h"
#include "nvcc/run_nvcc.h"
#include "nvcc/safe_arguments.h"
#include "nvcc/wanted_kernels.h"
#include "os/child_process.h"
#include "os/scratch.h"
#include "os/signals.h"
#include "os/workers.h"
#include "os/write_file.h"
#include "source/shim.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

std::string contentsOf(const std::string &path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  return file ? (*file)->getBuffer().str() : std::string();
}

/// The first error of nvcc, with its file and line if it has a place.
std::string firstError(StringRef output) {
  static const Regex withLine(
      "^(.+)\\(([0-9]+)\\): (catastrophic error|error)[^:]*: (.+)$"); // EDG
  static const Regex withColumn(
      "^(.+):([0-9]+):[0-9]+: (fatal error|error): (.+)$"); // gcc
  static const Regex withoutPlace(
      "(^|[^A-Za-z])(error|fatal)( #[0-9A-Z-]+)? *: *(.+)$");
  StringRef last;
  for (StringRef rest = output; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    line = line.rtrim();
    SmallVector<StringRef> parts;
    if (withLine.match(line, &parts) || withColumn.match(line, &parts))
      return ("nvcc stopped at " + parts[1] + ":" + parts[2] + ": " + parts[4])
          .str();
    if (withoutPlace.match(line, &parts))
      return ("nvcc stopped: " + parts[4]).str();
    if (!line.trim().empty())
      last = line.trim();
  }
  return last.empty() ? "nvcc stopped without a message"
                      : ("nvcc stopped: " + last).str();
}

/// True for a kernel that launches kernels, and for a call of a function that
/// another source defines.
bool needsRelocatableCode(StringRef whyNot) {
  return whyNot.contains("requires separate compilation mode") ||
         whyNot.contains("Unresolved extern");
}

/// True if a program of nvcc's asked for more memory than it may have.
bool endedForMemory(StringRef output) {
  static const Regex words("out of memory|memory exhausted|bad_alloc|allocate "
                           "memory|Out of memory|allocation failed");
  return words.match(output);
}

/// The PTX that nvcc --keep left; its name differs by release.
std::string readPtxFile(StringRef folder) {
  std::error_code error;
  for (sys::fs::directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error))
    if (sys::path::extension(entry->path()) == ".ptx")
      if (std::string text = contentsOf(entry->path()); !text.empty())
        return text;
  return "";
}

/// With -rdc=true, functions are compiled once for all kernels, so the report
/// does not list them under a kernel.
void addFunctions(const std::vector<CalleeUsage> &functions, Usage &usage) {
  for (const CalleeUsage &function : functions)
    if (none_of(usage.callees, [&](const CalleeUsage &callee) {
          return callee.name == function.name;
        }))
      usage.callees.push_back(function);
}

/// Joins the report of ptxas and the machine code by kernel. Includes a kernel
/// that only one of them names; without the report, `registers` is 0. Functions
/// that -rdc=true leaves out of line are none.
std::vector<CompiledKernel> readKernels(const std::string &architecture,
                                        PtxasReport report,
                                        const std::string &cubin) {
  std::map<std::string, CubinFunction> functions;
  if (auto file = MemoryBuffer::getFile(cubin)) {
    if (auto report = readCubin(**file))
      for (CubinFunction &function : report->functions)
        functions[function.name] = std::move(function);
    else
      consumeError(report.takeError()); // ptxas' report is enough
  }
  std::vector<CompiledKernel> kernels;
  for (Usage &usage : report.usages) {
    CompiledKernel &kernel = kernels.emplace_back();
    kernel.usage = std::move(usage);
    addFunctions(report.functions, kernel.usage);
    if (auto found = functions.find(kernel.usage.kernel);
        found != functions.end()) {
      kernel.locals = std::move(found->second.locals);
      kernel.shared = std::move(found->second.shared);
      kernel.lines = std::move(found->second.lines);
      functions.erase(found);
    }
  }
  for (auto &[name, function] : functions) {
    if (!function.isKernel)
      continue;
    CompiledKernel &kernel = kernels.emplace_back();
    kernel.usage.kernel = name;
    kernel.usage.architecture = architecture;
    kernel.locals = std::move(function.locals);
    kernel.shared = std::move(function.shared);
    kernel.lines = std::move(function.lines);
  }
  return kernels;
}

bool hasFrame(const Usage &usage) {
  return usage.stackFrame ||
         any_of(usage.callees, [](const CalleeUsage &callee) {
           return callee.stackFrame != 0;
         });
}

/// Reads the PTX only if a kernel has a stack frame, which most do not.
void addLocalMemory(CompiledUnit &unit) {
  if (none_of(unit.kernels, [](const CompiledKernel &kernel) {
        return hasFrame(kernel.usage);
      }))
    return;
  auto memory = readLocalMemory(unit.ptx);
  if (!memory)
    return consumeError(
        memory.takeError()); // then no frame is divided among variables
  for (CompiledKernel &kernel : unit.kernels)
    if (hasFrame(kernel.usage))
      kernel.memory = reachedFrom(kernel.usage.kernel, *memory);
}

/// Returns true if a kernel spills within limits: not with as many registers as
/// an instruction can name, which it cannot have more of without them.
bool mayGainWithoutLimits(const CompiledKernel &kernel) {
  constexpr unsigned mostRegisters = 255;
  return kernel.limits.any() && kernel.usage.registers < mostRegisters &&
         kernel.usage.spillStores + kernel.usage.spillLoads;
}

void addLimits(CompiledUnit &unit, ArrayRef<std::string> judgingArguments) {
  const unsigned registers = registersOfCommand(judgingArguments);
  const StringMap<LaunchLimits> limits = limitsInPtx(unit.ptx);
  for (CompiledKernel &kernel : unit.kernels) {
    kernel.limits = limits.lookup(kernel.usage.kernel);
    kernel.limits.commandRegisters = registers;
  }
}

/// Lets ptxas compile kernels that spill within register limits again, without
/// those limits. Adds nothing if that fails.
void compileWithoutLimits(CompiledUnit &unit, StringRef wanted,
                          ArrayRef<std::string> judgingArguments,
                          Scratch &scratch, const std::string &directory,
                          std::chrono::milliseconds limit) {
  std::map<std::string, CompiledKernel *> asked;
  std::vector<std::string> names;
  for (CompiledKernel *each : wantedKernels(unit, wanted)) {
    CompiledKernel &kernel = *each;
    // A shell would replace `$x` in the name.
    if (mayGainWithoutLimits(kernel) &&
        !isHazardousPath(kernel.usage.kernel) &&
        asked.emplace(kernel.usage.kernel, &kernel).second)
      names.push_back(kernel.usage.kernel);
  }
  if (names.empty() || unit.ptx.empty())
    return;
  const std::string source = scratch.path("without.ptx");
  {
    std::error_code error;
    raw_fd_ostream(source, error) << withoutLimits(unit.ptx, names);
    if (error)
      return;
  }
  std::vector<std::string> arguments =
      argumentsWithoutLimits(judgingArguments, source);
  if (!unit.architecture.empty())
    arguments.push_back("-arch=" + unit.architecture);
  arguments.insert(arguments.end(),
                   {"-cubin", "-Xptxas", "-v", "-Wno-deprecated-gpu-targets",
                    "-o", scratch.path("without.cubin")});
  for (const std::string &name : names)
    arguments.insert(arguments.end(), {"-Xptxas", "-e", "-Xptxas", name});
  Expected<Exit> exit = scratch.run(arguments, directory, "without", limit);
  if (!exit) {
    consumeError(exit.takeError());
    return;
  }
  for (Usage &usage : readPtxas(contentsOf(scratch.path("without"))).usages)
    if (auto found = asked.find(usage.kernel); found != asked.end())
      found->second->withoutLimits = std::move(usage);
}

/// Lets ptxas compile kernels with other limits and with branches fixed.
void tryVariants(CompiledUnit &unit, ArrayRef<std::string> judgingArguments,
                 const std::string &directory, const CompileRun &run) {
  // One program at a time writes to a folder.
  Expected<Scratch> scratch = Scratch::create();
  if (!scratch)
    return consumeError(scratch.takeError());
  compileWithoutLimits(unit, run.kernel, judgingArguments, *scratch, directory,
                       run.longest);
  if (run.options)
    compileOptions(unit, run.kernel, judgingArguments, *scratch, directory,
                   run.longest);
}

/// Adds what a cubin, the PTX and further runs of ptxas say of the kernels.
/// Returns false if reading them ended in a crash.
bool examine(CompiledUnit &unit, const std::string &cubin, Scratch &scratch,
             const std::vector<std::string> &judgingArguments,
             const Toolkit &toolkit, const std::string &directory,
             const CompileRun &run) {
  addLocalMemory(unit);
  addLimits(unit, judgingArguments);
  const RegisterRun registers{findNvdisasm(toolkit), directory, run.longest,
                              run.registers, run.kernel};
  bool hasCrashed = false;
  // Each takes about as long as nvcc; they write other members of the kernels.
  forEachInParallel(
      2, run.threads,
      [&](size_t i) {
        if (i == 0)
          readRegisters(registers, cubin, scratch, unit);
        else
          tryVariants(unit, judgingArguments, directory, run);
      },
      [&](size_t) { hasCrashed = true; });
  return !hasCrashed;
}

CompiledUnit crashed(const std::string &architecture) {
  CompiledUnit unit;
  unit.architecture = architecture;
  unit.endedByChance = true;
  unit.whyNot = "reading what nvcc made of it ended in a crash";
  return unit;
}

/// Writes the shim headers that the arguments name below their folder in the
/// program, and makes them name the copy. False if that fails.
bool writeShim(std::vector<std::string> &arguments, Scratch &scratch) {
  const StringRef inProgram = kokkosShimFolder();
  const std::string copy = scratch.path("kokkos");
  bool isNamed = false;
  for (std::string &argument : arguments)
    if (size_t at = argument.find(inProgram); at != std::string::npos) {
      argument.replace(at, inProgram.size(), copy);
      isNamed = true;
    }
  if (!isNamed)
    return true;
  if (sys::fs::create_directory(copy))
    return false;
  for (const ShimFile &file : shimFiles()) {
    StringRef name = file.path;
    if (!name.consume_front(inProgram))
      continue;
    std::error_code error;
    raw_fd_ostream(copy + name.str(), error) << file.text;
    if (error)
      return false;
  }
  return true;
}

CompiledUnit compileNow(const std::string &architecture,
                        const std::vector<std::string> &judgingArguments,
                        const Toolkit &toolkit, const std::string &directory,
                        const CompileRun &run, std::vector<std::string> &read) {
  const std::chrono::milliseconds limit = run.longest;
  CompiledUnit unit;
  unit.architecture = architecture;
  Expected<Scratch> scratch = Scratch::create();
  if (!scratch) {
    unit.whyNot = toString(scratch.takeError());
    return unit;
  }
  std::string cubin = scratch->path("out.cubin");
  std::vector<std::string> arguments = judgingArguments;
  if (!writeShim(arguments, *scratch)) {
    unit.whyNot = "the headers for Kokkos cannot be written";
    return unit;
  }
  if (!architecture.empty())
    arguments.insert(arguments.begin() + 1, "-arch=" + architecture);
  const NvccRun nvcc{arguments, directory,     toolkit.include,
                     limit,     toolkit.major, run.memory};
  Expected<Exit> exit = runNvcc(nvcc, cubin, *scratch, read);
  erase_if(read,
           [&](StringRef file) { return file.starts_with(scratch->folder()); });
  unit.endedByChance = !exit || exit->timedOut || exit->signal;
  if (!exit) {
    unit.whyNot = toString(exit.takeError());
    return unit;
  }
  std::string output = contentsOf(scratch->path("output"));
  if (exit->timedOut)
    unit.whyNot = "nvcc took longer than " +
                  std::to_string(limit.count() / 1000) +
                  " seconds and was ended";
  else if (exit->signal)
    unit.whyNot = "nvcc was ended by signal " + std::to_string(exit->signal);
  else if (exit->code && run.memory && endedForMemory(output)) {
    unit.whyNot = "nvcc " + tookTooMuch(run.memory);
    unit.endedByChance = true;
  } else if (exit->code) {
    unit.whyNot = firstError(output);
    // Something else than the source made it: a full disk has room again.
    unit.endedByChance = StringRef(output).trim().empty();
  } else if (!sys::fs::exists(cubin))
    unit.whyNot = "nvcc wrote no machine code";
  if (!unit.whyNot.empty())
    return unit;
  PtxasReport report = readPtxas(output);
  unit.functions = report.functions;
  unit.reportIsCutOff = report.cutOff;
  unit.kernels = readKernels(architecture, std::move(report), cubin);
  unit.ptx = readPtxFile(scratch->folder());
  if (!examine(unit, cubin, *scratch, judgingArguments, toolkit, directory,
               run))
    return crashed(architecture);
  if (run.registers == RegistersOf::All)
    compileTrials(nvcc, shortenedFile(nvcc, *scratch), run.kernel, unit);
  return unit;
}

/// The code that a build has made; nothing if that does not answer what is
/// asked.
std::optional<CompiledUnit>
takeBuilt(const std::string &architecture,
          const std::vector<std::string> &judgingArguments,
          const Toolkit &toolkit, const std::string &directory,
          const CompileRun &run) {
  if (!run.built)
    return std::nullopt;
  auto built = builtFor(architecture, *run.built, run.asked);
  if (!built)
    return std::nullopt;
  auto scratch = Scratch::create();
  if (!scratch) {
    consumeError(scratch.takeError());
    return std::nullopt;
  }
  const std::string cubin = scratch->path("built.cubin");
  if (Error error =
          writeFile(cubin, [&](raw_ostream &out) { out << built->cubin; })) {
    consumeError(std::move(error));
    return std::nullopt;
  }
  if (!examine(built->unit, cubin, *scratch, judgingArguments, toolkit,
               directory, run))
    return std::nullopt;
  return std::move(built->unit);
}

/// The cache key of compiled code; empty if the files that nvcc reads are not
/// known.
std::string keyOfUnit(const std::string &readingKey,
                      const std::string &architecture,
                      const std::vector<std::string> &judgingArguments,
                      const std::string &directory, const std::string &asked,
                      FileLists &lists) {
  auto state = lists.stateOfNoted(keyOfReadByNvcc(readingKey, architecture));
  return !state || state->empty() ? ""
                                  : Key("compiled")
                                        .add(readingKey)
                                        .add(*state)
                                        .add(architecture)
                                        .add(judgingArguments)
                                        .add(directory)
                                        .add(asked)
                                        .text();
}

/// Takes the result from the cache if nothing that it depends on has changed.
CompiledUnit compileFor(const std::string &architecture,
                        const std::vector<std::string> &judgingArguments,
                        const Toolkit &toolkit, const std::string &directory,
                        const CompileRun &run) {
  const std::string asked = findNvdisasm(toolkit) + " registers " +
                            std::to_string(unsigned(run.registers)) +
                            (run.options ? " options" : "");
  auto keyOf = [&](const std::string &readingKey, StringRef kernel) {
    return readingKey.empty()
               ? ""
               : keyOfUnit(readingKey, architecture, judgingArguments,
                           directory, (asked + " " + kernel).str(), *run.lists);
  };
  // The answer for all kernels holds for one, too.
  for (StringRef kernel : {StringRef(), StringRef(run.kernel)})
    if (const std::string known = keyOf(run.key, kernel); !known.empty())
      if (auto bytes = run.store.get(known))
        if (auto unit = fromRecord<CompiledUnit>(*bytes))
          return std::move(*unit);
  if (auto built =
          takeBuilt(architecture, judgingArguments, toolkit, directory, run))
    return std::move(*built);
  std::vector<std::string> read;
  CompiledUnit unit =
      compileNow(architecture, judgingArguments, toolkit, directory, run, read);
  const std::string readingKey = run.keyOnceRead ? run.keyOnceRead() : run.key;
  // Even a program that reads what nvcc has made may have been ended.
  if (unit.endedByChance || readingKey.empty() || isInterrupted())
    return unit;
  if (!read.empty())
    append_range(read, alsoDecides(read, judgingArguments, toolkit, directory));
  run.lists->note(keyOfReadByNvcc(readingKey, architecture), read);
  if (const std::string now = keyOf(readingKey, run.kernel); !now.empty())
    run.store.put(now, toRecord(unit));
  return unit;
}

/// A source without a command is compiled with relocatable device code if it
/// needs that: its build would have said so.
CompiledUnit compileAsNeeded(const std::string &architecture,
                             std::vector<std::string> judgingArguments,
                             const Toolkit &toolkit, const Command &command,
                             const CompileRun &run) {
  CompiledUnit unit = compileFor(architecture, judgingArguments, toolkit,
                                 command.directory, run);
  if (!command.isBare || !needsRelocatableCode(unit.whyNot))
    return unit;
  judgingArguments.insert(judgingArguments.begin() + 1, "-rdc=true");
  return compileFor(architecture, judgingArguments, toolkit, command.directory,
                    run);
}

} // namespace

std::string keyOfReadByNvcc(StringRef key, StringRef architecture) {
  return Key("read by nvcc").add(key).add(architecture).text();
}

/// The flags for judging that the user typed or set in the environment.
static std::vector<std::string> typedFlags(const Command &command,
                                           const Toolkit &toolkit) {
  Command typed = command;
  typed.arguments = {command.arguments[compilerIndex(command.arguments)]};
  append_range(typed.arguments, command.typed);
  typed.arguments.push_back(command.source);
  typed.isTrusted = true;
  auto all = fullArguments(typed);
  if (!all) {
    consumeError(all.takeError());
    return {};
  }
  std::vector<std::string> flags = judgingArguments(typed, *all, toolkit);
  flags.erase(flags.begin());
  flags.pop_back();
  return flags;
}

NvccCommand nvccCommand(const Command &command,
                        const std::vector<std::string> &fullArguments,
                        const Toolkit &toolkit,
                        const TrustedPrograms *trusted) {
  NvccCommand nvcc;
  nvcc.arguments = judgingArguments(command, fullArguments, toolkit);
  if (nvcc.arguments.front().empty())
    nvcc.whyNot = "there is no nvcc to compile it with";
  if (isHazardousPath(command.source))
    nvcc.whyNot = "its path has one of $ ` \" \\ in it, and nvcc would let a "
                  "shell run what stands behind them";
  // What was added to a bare command has the names of the project's folders.
  if (!trusted || (command.isTrusted && !command.isBare) ||
      !nvcc.whyNot.empty())
    return nvcc;
  if (trusted->find(nvcc.arguments.front(), command.directory).empty())
    nvcc.arguments.front() = toolkit.nvcc;
  SafeArguments safe = safeArguments(nvcc.arguments, command.directory,
                                     *trusted, typedFlags(command, toolkit));
  nvcc.arguments = std::move(safe.arguments);
  nvcc.dropped = std::move(safe.dropped);
  return nvcc;
}

Compiled compile(const Command &command,
                 const std::vector<std::string> &fullArguments,
                 const Toolkit &toolkit,
                 const std::vector<std::string> &architectures,
                 const CompileRun &run) {
  Compiled compiled;
  const NvccCommand nvcc =
      run.nvcc ? *run.nvcc
               : nvccCommand(command, fullArguments, toolkit, run.trusted);
  if (!nvcc.whyNot.empty()) {
    compiled.whyNot = nvcc.whyNot;
    return compiled;
  }
  const std::vector<std::string> &arguments = nvcc.arguments;
  if (std::string pipe = IncludeGraph().firstPipe(
          command.source, includeFolders(command.directory, arguments),
          toolkit.root);
      !pipe.empty()) {
    compiled.whyNot = "it may include '" + pipe + "', which is no regular file";
    return compiled;
  }
  if (!sys::fs::is_directory(command.directory)) {
    compiled.whyNot =
        "the command's folder '" + command.directory + "' does not exist";
    return compiled;
  }
  // "": nvcc's default.
  std::vector<std::string> wanted;
  for (const std::string &architecture : architectures)
    if (!is_contained(wanted, architecture))
      wanted.push_back(architecture);
  if (wanted.empty())
    wanted.push_back("");
  compiled.units.resize(wanted.size());
  forEachInParallel(
      wanted.size(), run.threads,
      [&](size_t i) {
        compiled.units[i] =
            compileAsNeeded(wanted[i], arguments, toolkit, command, run);
      },
      [&](size_t i) { compiled.units[i] = crashed(wanted[i]); });
  compiled.endedByChance = any_of(compiled.units, [](const CompiledUnit &unit) {
    return unit.endedByChance;
  });
  bool isJudged = any_of(compiled.units, [](const CompiledUnit &unit) {
    return unit.whyNot.empty();
  });
  if (isJudged)
    return compiled;
  compiled.whyNot = compiled.units.front().whyNot;
  if (asksForLinkTimeOptimisation(fullArguments))
    compiled.whyNot += "; the command asks for link-time optimisation, and "
                       "without it this source was not compiled";
  compiled.units.clear();
  return compiled;
}

} // namespace warplint
