#include "report/registers.h"
#include "base/folders.h"
#include "base/kernel_name.h"
#include "base/printable.h"
#include "base/readable_name.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/print_report.h"
#include "run/pipeline.h"
#include <map>
#include <mutex>

using namespace llvm;

namespace warplint {
namespace {

struct RegisterRows {
  std::vector<RegisterRow> rows;
  std::vector<std::string> missing; ///< why kernels are, a line each
};

void add(const CompiledSource &source, StringRef wanted, RegisterRows &into) {
  std::map<std::string, const Kernel *> kernels;
  for (const Kernel &kernel : source.kernels)
    kernels[normalisedKernelName(kernel.mangled)] = &kernel;
  const std::string &file = source.command.source;
  if (!source.compiled.whyNot.empty())
    into.missing.push_back(file + ": not compiled: " + source.compiled.whyNot);
  for (const CompiledUnit &unit : source.compiled.units) {
    if (!unit.whyNot.empty())
      into.missing.push_back(file + ": not compiled for " + unit.architecture +
                             ": " + unit.whyNot);
    for (const CompiledKernel &compiled : unit.kernels) {
      if (!compiled.usage.registers)
        continue;
      auto found = kernels.find(normalisedKernelName(compiled.usage.kernel));
      RegisterRow row;
      if (found != kernels.end()) {
        row.kernel = found->second->name;
        row.place = found->second->place;
      } else {
        row.kernel = shortKernelName(readableKernelName(compiled.usage.kernel));
      }
      if (!StringRef(row.kernel).contains(wanted) &&
          compiled.usage.kernel != wanted)
        continue;
      if (compiled.registers && !compiled.registers->whyNot.empty())
        into.missing.push_back(row.kernel + ": " + compiled.registers->whyNot);
      row.compiled = compiled;
      into.rows.push_back(std::move(row));
    }
  }
}

} // namespace

int runRegisters(const Options &options, raw_ostream &out, raw_ostream &err) {
  RegisterRows read;
  std::mutex one;
  auto report = compileEach(options, [&](const CompiledSource &source) {
    std::lock_guard<std::mutex> lock(one);
    add(source, options.registers.kernel, read);
  });
  if (!report)
    return fail(report.takeError(), err);
  // Sources end in any order.
  llvm::stable_sort(read.rows, [](const RegisterRow &a, const RegisterRow &b) {
    return std::tie(a.place, a.kernel, a.compiled.usage.architecture) <
           std::tie(b.place, b.kernel, b.compiled.usage.architecture);
  });
  llvm::sort(read.missing);
  if (options.output.format == Format::Json)
    printRegisterJson(read.rows, out);
  else
    printRegisters(read.rows, currentFolder(), out);
  printUnread(*report, err);
  for (const std::string &why : read.missing)
    err << "warplint: " << printable(why) << '\n';
  if (read.rows.empty() && read.missing.empty())
    err << "warplint: "
        << (options.registers.kernel.empty()
                ? "no kernel was compiled"
                : "no kernel's name contains '" + options.registers.kernel +
                      "'")
        << '\n';
  return read.missing.empty() ? int(exitCode(*report)) : int(ExitCode::Unread);
}

} // namespace warplint
