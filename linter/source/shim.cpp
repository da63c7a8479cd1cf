#include "source/shim.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace warplint {

#define SHIM_FOLDER "/warplint-shim/"
// Names of the toolkit's headers, for machines without one.
#define STAND_IN(name)                                                         \
  {SHIM_FOLDER "minimal/" name,                                                \
   "#pragma once\n#include \"warplint_cuda_minimal.h\"\n"},

// Headers of the toolkit up to CUDA 11: what is left of them is included before
// every source.
#define GONE(name) {SHIM_FOLDER "legacy/" name, "#pragma once\n"},

static constexpr ShimFile files[] = {
#include "shim_files.inc" // made by shim.cmake from the files in shim/
                          // clang-format off
    STAND_IN("cuda.h")
    STAND_IN("cuda_runtime.h")
    STAND_IN("cuda_runtime_api.h")
    STAND_IN("cuda_device_runtime_api.h")
    STAND_IN("cuda_profiler_api.h")
    STAND_IN("device_launch_parameters.h")
    STAND_IN("device_functions.h")
    STAND_IN("device_atomic_functions.h")
    STAND_IN("driver_types.h")
    STAND_IN("builtin_types.h")
    STAND_IN("host_defines.h")
    STAND_IN("math_functions.h")
    STAND_IN("sm_60_atomic_functions.h")
    STAND_IN("texture_types.h")
    STAND_IN("vector_functions.h")
    STAND_IN("vector_types.h")
    GONE("cuda_surface_types.h")
    GONE("cuda_texture_types.h")
    GONE("surface_functions.h")
    GONE("texture_fetch_functions.h")
                          // clang-format on
};

llvm::ArrayRef<ShimFile> shimFiles() { return files; }

/// Returns the folder of the newest GCC's own headers, for omp.h, which Clang
/// does not bring along.
static std::string hostHeaders() {
  namespace fs = llvm::sys::fs;
  std::string newest;
  unsigned newestRelease = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry("/usr/lib/gcc", error), end;
       !error && entry != end; entry.increment(error)) {
    // /usr/lib/gcc/x86_64-linux-gnu/12/include/omp.h
    unsigned release = 0;
    llvm::StringRef name = llvm::sys::path::filename(entry->path());
    if (entry.level() == 1)
      entry.no_push();
    if (entry.level() != 1 || name.consumeInteger(10, release) ||
        release <= newestRelease ||
        !fs::exists(entry->path() + "/include/omp.h"))
      continue;
    newestRelease = release;
    newest = entry->path() + "/include";
  }
  return newest;
}

std::vector<std::string> shimFlags(const std::optional<Toolkit> &toolkit) {
  std::vector<std::string> flags;
  if (toolkit)
    flags = {"-DWARPLINT_CUDA_VERSION=" +
                 std::to_string(toolkit->major * 1000 + toolkit->minor * 10),
             "-isystem",
             SHIM_FOLDER "include",
             "-include",
             SHIM_FOLDER "warplint_cuda.h",
             "-include",
             SHIM_FOLDER "warplint_cuda_legacy.h",
             // A toolkit that has them comes first.
             "-idirafter",
             SHIM_FOLDER "legacy"};
  else
    flags = {"-nocudainc", "-nocudalib", "-isystem", SHIM_FOLDER "minimal",
             "-include", SHIM_FOLDER "minimal/warplint_cuda_minimal.h",
             "-include", SHIM_FOLDER "warplint_cuda.h",
             // The driver takes the PTX version from the toolkit; without one,
             // its default lacks shuffles and sm_90.
             "-Xclang", "-target-feature", "-Xclang", "+ptx88"};
  std::string host = hostHeaders();
  // Last, or GCC's intrinsics would hide Clang's.
  if (!host.empty())
    flags.insert(flags.end(), {"-idirafter", host});
  // nvcc ignores `register`, in C++17 too.
  flags.push_back("-Wno-register");
  return flags;
}

llvm::StringRef kokkosShimFolder() { return SHIM_FOLDER "kokkos"; }

std::vector<std::string> kokkosFlags() {
  return {"-I", kokkosShimFolder().str()};
}

} // namespace warplint
