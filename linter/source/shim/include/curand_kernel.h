// cuRAND includes the file below from its own folder, past the one of ours.
#include <curand_mtgp32_kernel.h>
#include_next <curand_kernel.h>
