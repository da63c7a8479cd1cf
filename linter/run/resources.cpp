#include "run/resources.h"
#include "base/failure.h"
#include "base/folders.h"
#include "base/kernel_name.h"
#include "base/readable_name.h"
#include "base/regular_file.h"
#include "cost/kernel_time.h"
#include "input/machine_code.h"
#include "input/walk.h"
#include "machine/build_log.h"
#include "machine/code_flags.h"
#include "machine/cubin.h"
#include "machine/fatbin.h"
#include "machine/frame.h"
#include "machine/occupancy.h"
#include "nvcc/judging_arguments.h"
#include "report/registers.h"
#include "report/text.h"
#include "run/block_shape.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <map>
#include <mutex>
#include <set>

using namespace llvm;

namespace warplint {
std::string shownHere(StringRef path) {
  static const std::string folder = currentFolder();
  return shownPath(path, folder).str();
}

namespace {

/// The row of a ptxas report. If the registers are missing, so is the line that
/// also holds shared memory and barriers.
ResourceRow rowOf(const Usage &usage) {
  ResourceRow row;
  row.mangled = usage.kernel;
  row.kernel = readableKernelName(usage.kernel);
  row.signature = normalisedKernelName(usage.kernel);
  row.architecture = usage.architecture;
  row.stack = usage.stackFrame;
  row.spillStores = usage.spillStores;
  row.spillLoads = usage.spillLoads;
  if (usage.registers) {
    row.registers = usage.registers;
    row.shared = usage.sharedMemory;
    row.barriers = usage.barriers;
  }
  return row;
}

/// Adds rows for device functions that are not inlined and have a stack frame
/// or spills of their own.
void addFunctions(const std::vector<CalleeUsage> &functions,
                  const std::string &architecture, const ResourceRow &common,
                  std::vector<ResourceRow> &rows) {
  for (const CalleeUsage &function : functions) {
    if (!function.stackFrame && !function.spillStores && !function.spillLoads)
      continue;
    Usage usage;
    usage.kernel = function.name;
    usage.architecture = architecture;
    usage.stackFrame = function.stackFrame;
    usage.spillStores = function.spillStores;
    usage.spillLoads = function.spillLoads;
    ResourceRow row = rowOf(usage);
    row.kernel += " [device function]";
    row.source = common.source;
    row.toolkit = common.toolkit;
    row.flags = common.flags;
    rows.push_back(std::move(row));
  }
}

void addOccupancyAt(const Shape &shape, const Usage &usage, ResourceRow &row,
                    llvm::StringRef from = "") {
  if (!usage.registers)
    return;
  Expected<Occupancy> found = occupancy(usage, shape.threads());
  if (!found)
    return consumeError(found.takeError());
  LaunchOccupancy launch{shape.text() + from.str(), unsigned(found->percent()),
                         ""};
  for (OccupancyLimit limit : found->limits)
    launch.limit +=
        (launch.limit.empty() ? "" : ", ") + std::string(spelling(limit));
  if (!row.occupancy || launch.percent < *row.occupancy)
    row.occupancy = launch.percent;
  row.launches.push_back(std::move(launch));
}

/// Adds the occupancy at each launch in the source. A kernel whose dynamic
/// shared memory is unknown gets none, since the real value may be lower.
void addOccupancy(const Kernel &kernel, const Usage &usage, ResourceRow &row) {
  bool isDynamic = any_of(kernel.objects, [](const Object &object) {
    return object.space == Space::Shared && object.bytes == 0;
  });
  if (isDynamic)
    return;
  for (const KernelShape &shape : kernel.shapes)
    if (shape.source == ShapeSource::Launch ||
        shape.source == ShapeSource::Policy ||
        shape.source == ShapeSource::Option)
      addOccupancyAt(shape.shape, usage, row,
                     shape.source == ShapeSource::Policy ? " (policy)" : "");
}

/// Adds the lines that spill, those with most instructions first.
void addSpillLines(
    const std::map<std::pair<std::string, unsigned>, unsigned> &lines,
    ResourceRow &row) {
  for (auto &[place, instructions] : lines)
    row.spillLines.push_back({place.first, place.second, instructions});
  stable_sort(row.spillLines, [](const SpillLine &a, const SpillLine &b) {
    return a.instructions > b.instructions;
  });
}

/// Adds the parts of the stack frame and the lines of its spills. If some bytes
/// cannot be attributed, no parts are given.
void addFrame(const CompiledKernel &kernel, const Kernel *source,
              const std::string &directory, ResourceRow &row) {
  const Frame frame = frameOf(kernel, source);
  if (frame.of(FrameShare::Unknown) == 0) {
    row.spills = frame.of(FrameShare::Spill);
    row.arrays = frame.of(FrameShare::Array);
    row.other = frame.bytes - *row.spills - *row.arrays;
  }
  const FrameShare *spills = frame.spills();
  if (!spills)
    return;
  std::map<std::pair<std::string, unsigned>, unsigned> lines;
  for (auto &[place, instructions] : spills->places) {
    SmallString<256> path(place.file);
    sys::path::make_absolute(directory, path);
    lines[{shownHere(path), place.line}] += instructions;
  }
  addSpillLines(lines, row);
}

/// The place in a name such as "k<(lambda at /a.cu:12:7)>", if there is one.
Place placeOfLambda(StringRef name) {
  StringRef at = name.split("(lambda at ").second;
  auto [place, after] = at.split(')');
  auto [fileAndLine, column] = place.rsplit(':');
  auto [file, line] = fileAndLine.rsplit(':');
  Place result;
  if (line.getAsInteger(10, result.line))
    return {};
  result.file = file.str();
  return result;
}

/// Adds what the source says of a kernel: its place, and a short name for
/// lambdas and for kernels that a library dispatches.
void addSource(const Kernel &kernel, ResourceRow &row) {
  Place place = placeOfLambda(kernel.name);
  if (place.line || kernel.isDispatched)
    row.kernel = shortKernelName(kernel.name);
  if (!place.line)
    place = kernel.place;
  row.place = {shownHere(place.file), place.line, 0};
}

/// Adds what the source is predicted to take, in the costliest shape.
void addCycles(const Kernel &kernel, ResourceRow &row) {
  const CostedKernel costs = costed(kernel, {}, capabilityOf(row.architecture));
  double most = -1;
  for (const ShapeCosts &shape : costs.shapes) {
    const KernelTime &time = timeOf(costs, shape);
    if (time.cyclesPerWarp() <= most)
      continue;
    most = time.cyclesPerWarp();
    row.bound = spelling(time.bound());
  }
  row.cycles = unsigned(std::lround(std::clamp(most, 0.0, 1e9)));
}

std::string releaseOf(const std::optional<Toolkit> &toolkit) {
  if (!toolkit || !toolkit->major)
    return "";
  std::string release =
      std::to_string(toolkit->major) + "." + std::to_string(toolkit->minor);
  return toolkit->build ? release + "." + std::to_string(toolkit->build)
                        : release;
}

std::vector<ResourceRow> rowsOf(const CompiledSource &source) {
  std::map<std::string, const Kernel *> kernels;
  for (const Kernel &kernel : source.kernels)
    kernels[normalisedKernelName(kernel.mangled)] = &kernel;
  ResourceRow common;
  common.source = shownHere(source.command.source);
  common.toolkit = releaseOf(source.toolkit);
  if (source.toolkit)
    common.flags = codeFlags(
        judgingArguments(source.command, source.arguments, *source.toolkit));
  std::vector<ResourceRow> rows;
  for (const CompiledUnit &unit : source.compiled.units) {
    addFunctions(unit.functions, unit.architecture, common, rows);
    for (const CompiledKernel &kernel : unit.kernels) {
      // Without registers it is a function that is not inlined and that only
      // the machine code names; ptxas counts it with its callers.
      if (!kernel.usage.registers)
        continue;
      ResourceRow row = rowOf(kernel.usage);
      row.source = common.source;
      row.toolkit = common.toolkit;
      row.flags = common.flags;
      auto found = kernels.find(row.signature);
      const Kernel *kernelInSource =
          found == kernels.end() ? nullptr : found->second;
      addFrame(kernel, kernelInSource, source.command.directory, row);
      row.explanation = explainRegisters(kernel, currentFolder());
      if (kernelInSource) {
        addSource(*kernelInSource, row);
        addOccupancy(*kernelInSource, kernel.usage, row);
        addCycles(*kernelInSource, row);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<MissingReport> missingOf(const CompiledSource &source) {
  std::string name = shownHere(source.command.source);
  if (!source.compiled.whyNot.empty())
    return {{name, "not compiled: " + source.compiled.whyNot}};
  std::vector<MissingReport> missing;
  for (const CompiledUnit &unit : source.compiled.units)
    if (!unit.whyNot.empty())
      missing.push_back(
          {name, "not compiled for " + unit.architecture + ": " + unit.whyNot});
  return missing;
}

Error readSources(Options options, std::vector<std::string> paths,
                  ReadResources &result) {
  options.sources.paths = std::move(paths);
  std::mutex one;
  auto clang = compileEach(options, [&](const CompiledSource &source) {
    ResourceReport read;
    addCompiled(source, read);
    std::lock_guard<std::mutex> lock(one);
    result.sources.push_back(shownHere(source.command.source));
    move(read.rows, std::back_inserter(result.report.rows));
    move(read.missing, std::back_inserter(result.report.missing));
  });
  if (!clang)
    return clang.takeError();
  // Resources come from nvcc. Launches come from Clang, so they may be missing.
  for (const UnreadSource &unread : clang->unread)
    result.report.notes.push_back(
        shownHere(unread.source) + ": " +
        (unread.anyKernelRead ? "read in part" : "not read") +
        ", so launches may be missing: " + unread.firstError);
  for (const std::string &note : clang->notes)
    if (!StringRef(note).starts_with("not followed: "))
      result.report.notes.push_back(note);
  return Error::success();
}

void readLog(StringRef text, const std::string &name, ReadResources &result) {
  BuildLog log = readBuildLog(text);
  for (const Usage &usage : log.usages) {
    ResourceRow row = rowOf(usage);
    row.toolkit = log.toolkit;
    result.report.rows.push_back(std::move(row));
  }
  ResourceRow common;
  common.toolkit = log.toolkit;
  std::set<std::string> architectures;
  for (const Usage &usage : log.usages)
    architectures.insert(usage.architecture);
  // The report does not name the architecture of functions.
  addFunctions(log.functions,
               architectures.size() == 1 ? *architectures.begin() : "", common,
               result.report.rows);
  for (std::string &why : log.missing)
    result.report.missing.push_back({name, std::move(why)});
  result.wholeBuild = true;
}

/// Adds the lines of the spills that ptxas marks.
void addMarkedLines(const std::vector<LocalInstruction> &locals,
                    ResourceRow &row) {
  std::map<std::pair<std::string, unsigned>, unsigned> lines;
  for (const LocalInstruction &local : locals)
    if (local.isMarkedSpill && local.function.empty() && local.line)
      ++lines[{shownHere(local.file), local.line}];
  addSpillLines(lines, row);
}

/// The row of one kernel in machine code.
ResourceRow rowOf(const CubinFunction &function,
                  const std::string &architecture) {
  const SpilledBytes spilled = function.spilled.value_or(SpilledBytes());
  Usage usage;
  usage.kernel = function.name;
  usage.architecture = architecture;
  usage.registers = function.registers;
  usage.spillStores = spilled.stores;
  usage.spillLoads = spilled.loads;
  usage.sharedMemory = function.sharedMemory;
  usage.barriers = function.barriers;
  ResourceRow row = rowOf(usage);
  row.stack = function.stackFrame;
  if (!function.spilled) {
    row.spillStores.reset();
    row.spillLoads.reset();
  }
  addMarkedLines(function.locals, row);
  return row;
}

void readMachineCode(MemoryBufferRef file, const std::string &name,
                     ReadResources &result) {
  result.sources.push_back(name);
  std::vector<MissingReport> &missing = result.report.missing;
  Expected<DeviceImages> images = readDeviceImages(file);
  if (!images) {
    missing.push_back({name, toString(images.takeError())});
    return;
  }
  for (std::string &why : images->notRead)
    missing.push_back({name, std::move(why)});
  bool anyCode = false, anyPtx = false;
  for (const DeviceImage &image : images->images) {
    std::string source =
        image.member.empty() ? name : name + "(" + image.member + ")";
    anyPtx |= image.isPtx;
    if (image.isPtx)
      continue;
    anyCode = true;
    Expected<CubinReport> cubin = readCubin({image.bytes, source});
    if (!cubin) {
      missing.push_back({source, toString(cubin.takeError())});
      continue;
    }
    for (const CubinFunction &function : cubin->functions) {
      if (!function.isKernel)
        continue;
      result.report.rows.push_back(rowOf(function, cubin->architecture));
      result.report.rows.back().source = source;
    }
  }
  if (!anyCode && missing.empty())
    missing.push_back(
        {name, anyPtx ? "there is PTX in it and no machine code, so what its "
                        "kernels take is not decided yet"
                      : "there is no device code in it"});
}

/// Returns true for sources by extension, for folders, and for paths that do
/// not exist: the reader of sources reports those.
bool isForSources(StringRef path) {
  return sys::fs::is_directory(path) || isCudaSource(path) ||
         isCxxSource(path) || isHeader(path) || !sys::fs::exists(path);
}

Error readFile(const std::string &path, ReadResources &result) {
  auto file = readNamedFile(path, /*needsNullTerminator=*/false);
  std::string name = path == "-" ? "standard input" : shownHere(path);
  if (!file)
    return failure("'" + name +
                   "' cannot be read: " + file.getError().message());
  if (isMachineCode((*file)->getBuffer()))
    readMachineCode((*file)->getMemBufferRef(), name, result);
  else
    readLog((*file)->getBuffer(), name, result);
  return Error::success();
}

/// Gives kernels of one name their parameters.
void tellApart(std::vector<ResourceRow> &rows) {
  std::map<std::string, std::string> signatures; // by name; empty if several
  for (const ResourceRow &row : rows) {
    auto [place, isNew] = signatures.try_emplace(row.kernel, row.signature);
    if (!isNew && place->second != row.signature)
      place->second.clear();
  }
  for (ResourceRow &row : rows)
    if (signatures[row.kernel].empty() && !row.place.line)
      row.kernel = shortKernelName(row.signature);
}

} // namespace

void addCompiled(const CompiledSource &source, ResourceReport &report) {
  append_range(report.rows, rowsOf(source));
  append_range(report.missing, missingOf(source));
}

void settle(ResourceReport &report) {
  tellApart(report.rows);
  sortByHarm(report.rows);
  sort(report.missing, [](const MissingReport &a, const MissingReport &b) {
    return std::tie(a.source, a.why) < std::tie(b.source, b.why);
  });
}

/// Adds the occupancy for the block that the user gives to the rows of logs and
/// machine code, which know no launch.
void addGivenBlock(const Options &options, std::vector<ResourceRow> &rows) {
  if (options.settings.block.empty())
    return;
  const Shape shape = shapeOf(options.settings.block);
  for (ResourceRow &row : rows) {
    Usage usage;
    usage.architecture = row.architecture;
    usage.registers = row.registers.value_or(0);
    usage.sharedMemory = row.shared.value_or(0);
    usage.barriers = row.barriers;
    addOccupancyAt(shape, usage, row);
  }
}

Expected<ReadResources> readResources(const Options &options) {
  ReadResources result;
  result.report.warplint = WARPLINT_VERSION;
  std::vector<std::string> sources;
  for (const std::string &path : options.sources.paths)
    if (path != "-" && isForSources(path))
      sources.push_back(path);
    else if (Error error = readFile(path, result))
      return error;
  addGivenBlock(options, result.report.rows);
  // A database without paths stands for all its sources.
  const bool isDatabase =
      options.sources.paths.empty() && !options.sources.database.empty();
  if (!sources.empty() || isDatabase)
    if (Error error = readSources(options, std::move(sources), result))
      return error;
  settle(result.report);
  sort(result.sources);
  return result;
}

} // namespace warplint
