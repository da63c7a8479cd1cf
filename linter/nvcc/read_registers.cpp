#include "nvcc/read_registers.h"
#include "machine/cubin.h"
#include "machine/register_owners.h"
#include "nvcc/disassemble.h"
#include "nvcc/wanted_kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

/// From so many registers on, they alone let a quarter of the warps or fewer
/// into an SM.
constexpr unsigned many = 128;

bool isAsked(const Usage &usage, RegistersOf which) {
  // Without registers it is no kernel but a function, or has no report.
  return usage.registers &&
         (which == RegistersOf::All ||
          (which == RegistersOf::Many && usage.registers >= many) ||
          usage.spillStores + usage.spillLoads);
}

void setWhyNot(ArrayRef<CompiledKernel *> kernels, const std::string &whyNot) {
  for (CompiledKernel *kernel : kernels)
    kernel->registers.emplace().whyNot = whyNot;
}

/// The registers of `asked`; fails with a sentence.
Error readAll(const RegisterRun &run, const std::string &cubin,
              Scratch &scratch, const std::string &ptx,
              ArrayRef<CompiledKernel *> asked) {
  auto file = MemoryBuffer::getFile(cubin);
  if (!file)
    return errorCodeToError(file.getError());
  Expected<CubinReport> machine = readCubin(**file);
  if (!machine)
    return machine.takeError();
  readPtxLines(**file, *machine);
  std::map<StringRef, const CubinFunction *> functions;
  for (const CubinFunction &function : machine->functions)
    functions[function.name] = &function;
  std::vector<std::string> symbols;
  for (const CompiledKernel *kernel : asked)
    if (auto found = functions.find(kernel->usage.kernel);
        found != functions.end() && found->second->symbol)
      symbols.push_back(std::to_string(found->second->symbol));
  std::vector<std::string> options;
  if (symbols.size() == asked.size())
    options = {"-fun", join(symbols, ",")};
  Expected<std::string> text =
      disassemble(run.nvdisasm, cubin, options, scratch, run.limit);
  if (!text)
    return text.takeError();
  auto code = readDisassembly(*text);
  if (!code)
    return code.takeError();
  auto origins = PtxOrigins::read(ptx);
  if (!origins)
    return origins.takeError();
  StatementFiles files(run.directory);
  for (CompiledKernel *kernel : asked) {
    auto found = find_if(*code, [&](const MachineFunction &function) {
      return function.name == kernel->usage.kernel;
    });
    auto function = functions.find(kernel->usage.kernel);
    if (found == code->end() || function == functions.end())
      kernel->registers.emplace().whyNot =
          "the machine code has no such function";
    else
      kernel->registers = registersOf(
          {*found, *function->second, **origins, kernel->usage, kernel->limits},
          files);
  }
  return Error::success();
}

} // namespace

void readRegisters(const RegisterRun &run, const std::string &cubin,
                   Scratch &scratch, CompiledUnit &unit) {
  std::vector<CompiledKernel *> asked;
  for (CompiledKernel *kernel : wantedKernels(unit, run.kernel))
    if (isAsked(kernel->usage, run.which))
      asked.push_back(kernel);
  if (asked.empty())
    return;
  if (run.nvdisasm.empty())
    return setWhyNot(asked, noNvdisasm.str());
  if (Error error = readAll(run, cubin, scratch, unit.ptx, asked))
    setWhyNot(asked, toString(std::move(error)));
}

} // namespace warplint
