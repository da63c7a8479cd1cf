#include "source/shim.h"
namespace warplint {
llvm::ArrayRef<ShimFile> shimFiles() { static const ShimFile f[]={{"/warplint-shim/warplint_cuda.h","#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"},{"/warplint-shim/warplint_cuda_legacy.h",""},{"/warplint-shim/warplint_cuda_minimal.h",""}}; return f; }
llvm::StringRef shimFolder(){return "/warplint-shim";}
}
