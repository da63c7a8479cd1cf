// CUDA 13 has this header of NVTX under the name of its third version alone.
#pragma once
#include <nvtx3/nvToolsExtCuda.h>
