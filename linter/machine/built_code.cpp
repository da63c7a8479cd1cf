#include "machine/built_code.h"
#include "machine/cubin.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {
namespace {

bool isInFunction(const LocalInstruction &local) {
  return !local.function.empty();
}

/// What ptxas reported of the kernel; nothing if its cubin does not tell.
std::optional<Usage> usageOf(const CubinFunction &kernel,
                             const std::string &architecture) {
  if (!kernel.registers || !kernel.stackFrame || !kernel.spilled ||
      any_of(kernel.locals, isInFunction) ||
      kernel.cumulativeStack.value_or(*kernel.stackFrame) != *kernel.stackFrame)
    return std::nullopt;
  Usage usage;
  usage.kernel = kernel.name;
  usage.architecture = architecture;
  usage.registers = kernel.registers;
  usage.stackFrame = *kernel.stackFrame;
  usage.sharedMemory = kernel.sharedMemory;
  usage.barriers = kernel.barriers;
  usage.spillStores = kernel.spilled->stores;
  usage.spillLoads = kernel.spilled->loads;
  return usage;
}

/// Adds a kernel. Returns false if its cubin does not tell all of it.
bool addKernel(CubinFunction &function, const std::string &architecture,
               CompiledUnit &unit) {
  std::optional<Usage> usage = usageOf(function, architecture);
  if (!usage)
    return false;
  CompiledKernel &kernel = unit.kernels.emplace_back();
  kernel.usage = std::move(*usage);
  kernel.locals = std::move(function.locals);
  kernel.shared = std::move(function.shared);
  kernel.lines = std::move(function.lines);
  return true;
}

bool hasLines(const CompiledUnit &unit) {
  return any_of(unit.kernels, [](const CompiledKernel &kernel) {
    return any_of(kernel.lines,
                  [](const MachineLine &line) { return line.line != 0; });
  });
}

/// The PTX from which ptxas made code for an architecture; null without one, or
/// without lines.
const DeviceImage *ptxFor(StringRef architecture, const DeviceImages &object) {
  architecture.consume_front("sm_");
  const DeviceImage *found = nullptr;
  for (const DeviceImage &image : object.images) {
    StringRef name = image.architecture;
    if (!image.isPtx || !name.consume_front("compute_") || name != architecture)
      continue;
    if (found || !StringRef(image.bytes).contains("\n.loc\t"))
      return nullptr;
    found = &image;
  }
  return found;
}

} // namespace

std::optional<BuiltCode> builtFor(const std::string &architecture,
                                  const DeviceImages &object, Asks asked) {
  const DeviceImage *machineCode = nullptr;
  for (const DeviceImage &image : object.images) {
    if (image.isPtx || !image.member.empty() ||
        (!architecture.empty() && image.architecture != architecture))
      continue;
    if (machineCode)
      return std::nullopt;
    machineCode = &image;
  }
  if (!machineCode || !object.notRead.empty())
    return std::nullopt;
  auto cubin = readCubin({machineCode->bytes, "cubin"});
  if (!cubin) {
    consumeError(cubin.takeError());
    return std::nullopt;
  }
  BuiltCode built;
  built.unit.architecture = architecture;
  for (CubinFunction &function : cubin->functions) {
    if (function.isKernel
            ? !addKernel(function, machineCode->architecture, built.unit)
            : function.stackFrame.value_or(0) || !function.locals.empty())
      return std::nullopt;
  }
  const DeviceImage *ptx = ptxFor(machineCode->architecture, object);
  if (ptx && hasLines(built.unit))
    built.unit.ptx = ptx->bytes;
  else if (!all_of(built.unit.kernels, [&](const CompiledKernel &kernel) {
             return isAnsweredBy(kernel.usage, asked);
           }))
    return std::nullopt;
  built.cubin = machineCode->bytes;
  return built;
}

} // namespace warplint
