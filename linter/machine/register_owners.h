// The machine code of a kernel, its PTX and its source to what its registers
// hold (machine/register_report.h).
//
// An instruction's line in the PTX gives the value that it computes; the
// value's place gives the statement of the source; what that assigns is the
// name. Values that several instructions write, as around a loop, get the name
// that says most.
#pragma once
#include "input/source_statements.h"
#include "machine/compiled.h"
#include "machine/cubin.h"
#include "machine/disassembly.h"
#include "machine/register_report.h"
#include "ptx/value_origins.h"
#include <map>
#include <memory>

namespace warplint {

/// The statements of source files; reads each once.
class StatementFiles {
public:
  /// Relative names of files are relative to `directory`.
  explicit StatementFiles(std::string directory)
      : directory_(std::move(directory)) {}
  /// Null if the file cannot be read.
  const SourceStatements *of(const std::string &file);

private:
  std::string directory_;
  std::map<std::string, std::unique_ptr<SourceStatements>> files_;
};

struct KernelCode {
  const MachineFunction &code;
  const CubinFunction &cubin;  ///< with `ptxLines`
  const PtxOrigins &ptx;
  const Usage &usage;
  const LaunchLimits &limits;
};

RegisterReport registersOf(const KernelCode &kernel, StatementFiles &files);

} // namespace warplint
