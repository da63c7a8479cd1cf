// A file that a build leaves (object, archive, shared library, executable, fat
// binary or cubin) to the cubins and PTX in it.
//
// nvcc puts fat binaries into the sections .nv_fatbin and, from relocatable
// device code, __nv_relfatbin of host ELF files. Their layout was measured on
// what nvcc and fatbinary of CUDA 13.0 write in each of their compression
// modes.
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>
#include <vector>

namespace warplint {

/// A cubin or PTX text, decompressed.
struct DeviceImage {
  bool isPtx = false;
  std::string architecture; ///< "sm_90a"; for PTX "compute_90a"
  std::string member;       ///< the archive member that contains it, else empty
  std::string bytes;
};

struct DeviceImages {
  std::vector<DeviceImage> images; ///< in the order of the file
  /// A sentence for each part of the file that is not read. The rest is
  /// unaffected.
  std::vector<std::string> notRead;
};

/// Returns no image for a file without device code. Fails, with a sentence, on
/// other kinds of files.
llvm::Expected<DeviceImages> readDeviceImages(llvm::MemoryBufferRef file);

} // namespace warplint
