// How long atomics take of which each block has an address, or shares one with
// few others: the ground for linter/cost/updated_at_once.h. Blocks begin along
// x, so those that run at once update few neighbouring rows. Prints nanoseconds
// of an update of 4 bytes, by the blocks of a row and the bytes between rows.
//
// One H200, CUDA 13.0, blocks of 256, all lanes of a warp update one float:
//                        4 B     32 B    128 B    512 B   4,096 B
//   1 block a row     0.0871   0.0239   0.0170   0.0154   0.0157
//   4 blocks          0.2074   0.0435   0.0203   0.0167   0.0174
//   16 blocks         0.4437   0.1097   0.0486   0.0350   0.0301
//   64 blocks         1.1472   0.3004   0.1428   0.1092   0.0782
//   256 blocks        1.6159   0.8061   0.4541   0.3523   0.2490
// All blocks on one float: 1.756.
#include "program.h"

namespace {

__global__ void addToRow(float *rows, int pitch) {
  atomicAdd(&rows[blockIdx.y * pitch], float(threadIdx.x & 3)); // expect: contended-atomic
}

} // namespace

int main() {
  constexpr int threads = 256, mostRows = 4096, mostBlocks = 65536;
  float *rows;
  cudaMalloc(&rows, mostRows * 1024 * sizeof(float));
  for (int blocks : {1, 4, 16, 64, 256})
    for (int pitch : {1, 8, 32, 128, 1024}) {
      const int count = std::min(mostRows, mostBlocks / blocks);
      const float all = program::leastMicroseconds(
          [&] { addToRow<<<dim3(blocks, count), threads>>>(rows, pitch); });
      std::printf("%d blocks a row, rows %d bytes apart: %.4f ns\n", blocks,
                  pitch * 4, all * 1e3 / (double(blocks) * count * threads));
    }
}
