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

/// A cubin or a PTX text, unpacked.
struct DeviceImage {
  bool isPtx = false;
  std::string architecture; ///< "sm_90a"; of PTX "compute_90a"
  std::string member;       ///< the archive's member that holds it, else empty
  std::string bytes;
};

struct DeviceImages {
  std::vector<DeviceImage> images; ///< in the order of the file
  /// A sentence for each thing in the file that is not read. It costs nothing
  /// of the rest.
  std::vector<std::string> notRead;
};

/// A file without device code gives no image. Fails, with a sentence, on what
/// is none of these files.
llvm::Expected<DeviceImages> readDeviceImages(llvm::MemoryBufferRef file);

} // namespace warplint
