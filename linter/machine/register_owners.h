// The machine code of a kernel, its PTX and its source to what its registers
// hold where most of them are live (machine/register_report.h).
#pragma once
#include "machine/kernel_code.h"
#include "machine/register_report.h"
#include "machine/statement_files.h"

namespace warplint {

RegisterReport registersOf(const KernelCode &kernel, StatementFiles &files);

} // namespace warplint
