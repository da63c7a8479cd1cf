// Names what holds a kernel's registers, in words that reports and findings
// share.
#pragma once
#include "machine/compiled.h"

namespace warplint {

/// "variable 'sum[8][8]'", "address into 'in'", "unnamed".
std::string inWords(const RegisterOwner &owner);

/// "'acc' is spilled: 8 bytes, stored at line 3, loaded at lines 7 and 9, in a
/// loop".
std::string inWords(const SpilledOwner &spill);

/// "'sum[8][8]' 64, address into 'in' 4, and 20 others".
std::string largestOwners(const RegisterReport &report, unsigned count);

/// The results of compiling the kernel in another way, a phrase each.
std::vector<std::string> triedInWords(const CompiledKernel &kernel);

/// Where most registers are live and who holds them, for the evidence of a
/// finding: "86 live at line 13: ...", or why that is unknown; empty if nobody
/// asked for it.
std::string registersInWords(const CompiledKernel &kernel);

} // namespace warplint
