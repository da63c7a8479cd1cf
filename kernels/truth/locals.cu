// Indices that come from locals: reassigned in branches and loops, joined,
// carried from iteration to iteration, left behind by a loop.
#include "truth.h"

// The lane decides which of two values arrives.
__global__ void joinByLane(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int from;
  if (threadIdx.x % 32 < 16)
    from = at;
  else
    from = 2 * at;
  out[at] = in[from];
}

// The warp decides: half of the requests go by fours.
__global__ void joinByWarp(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int step = 1;
  if ((threadIdx.x / 32) % 2)
    step = 4;
  out[at] = in[at * step];
}

__global__ void joinBySwitch(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int from = at;
  switch (threadIdx.x & 3) {
  case 0:
    break;
  case 1:
    from = at + 65536;
    break;
  case 2:
    from += 131072; // falls through
  default:
    from ^= 1;
  }
  out[at] = in[from];
}

// Data decide which of two pointers is read, and they differ in stride.
__global__ void joinByData(const float *in, const int *flag, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int from = at;
  if (flag[at] > 3)
    from = at * 8;
  out[at] = in[from];
}

// A pointer that is one of two, by the half of the block.
__global__ void joinOfPointers(const float *a, const float *b, float *out) {
  const float *from = a + threadIdx.x;
  if (threadIdx.x >= 128)
    from = b + 2 * threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = *from;
}

__global__ void doubledEachTurn(const float *in, float *out) {
  int at = threadIdx.x % 32;
  float sum = 0;
  for (int k = 0; k < 5; ++k) {
    sum += in[at];
    at *= 2;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void movedBeforeTheLoop(const float *in, float *out, int turns) {
  int at = threadIdx.x;
  at += blockIdx.x * blockDim.x;
  in += 3 * at;
  out += at;
  for (int k = 0; k < turns; ++k)
    out[k * 8192] = in[k * 32768];
}

__global__ void whileHalving(float *data) {
  float *mine = data + blockIdx.x * 64;
  unsigned reach = 16;
  while (reach) {
    if (threadIdx.x < reach)
      mine[threadIdx.x] += mine[threadIdx.x + reach];
    __syncwarp();
    reach >>= 1;
  }
}

__global__ void countingDown(const float *in, float *out, unsigned turns) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = turns; k-- > 0;)
    sum += in[k * 131072 + 3 * at];
  out[at] = sum;
}

__global__ void twoCounters(const float *in, float *out, int turns) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int low = 0, high = turns; low < high; ++low, --high) {
    sum += in[low * 65536 + at];
    sum -= in[high * 65536 + 4 * at];
  }
  out[at] = sum;
}

__global__ void walkingPointer(const float *in, float *out, int turns) {
  const float *p = in + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  const float *end = p + turns * 65536;
  float sum = 0;
  do {
    sum += *p;
    p += 65536;
  } while (p < end);
  float *to = out + blockIdx.x * blockDim.x;
  to += threadIdx.x;
  *to++ = sum;
  *to = sum;
}

// The stride is a loop's result.
__global__ void leftBehind(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int shift = 0;
  while ((1 << shift) < int(blockDim.x) / 32)
    ++shift;
  out[at] = in[at << shift];
}

// Each iteration has one lane less.
__global__ void laneLeavesEachTurn(const float *in, float *out) {
  unsigned lane = threadIdx.x % 32;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k <= lane; ++k)
    sum += in[lane * 64 + k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void guardedByTurn(const float *in, float *out) {
  int lane = threadIdx.x % 32;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    if (lane < k)
      continue;
    sum += in[k * 1024 + lane];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void oneLane(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 5)
    out[at] = in[at];
}

__global__ void halfAWarp(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if ((threadIdx.x & 16) == 0) {
    float v = in[at * 2];
    out[at] = v;
  }
}

__global__ void everyOtherLane(const float *in, float *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n || threadIdx.x & 1)
    return;
  out[at * 4] = in[at];
}

__global__ void edgesOfTheWarp(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  if (lane == 0 || lane == 31 || (lane > 14 && lane < 18))
    out[at] = in[at];
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  float *c = truth::zeros<float>();
  int *flag = truth::spread(1 << 16, 5, 8);
  const int turns = 8;
  joinByLane<<<64, 256>>>(a, b);
  joinByWarp<<<64, 256>>>(a, b);
  joinBySwitch<<<64, 256>>>(a, b);
  joinByData<<<64, 256>>>(a, flag, b);
  joinOfPointers<<<64, 256>>>(a, b, c);
  doubledEachTurn<<<64, 256>>>(a, b);
  movedBeforeTheLoop<<<64, 128>>>(a, b, turns);
  whileHalving<<<64, 32>>>(a);
  countingDown<<<64, 256>>>(a, b, turns);
  twoCounters<<<64, 256>>>(a, b, turns);
  walkingPointer<<<64, 256>>>(a, b, turns);
  leftBehind<<<64, 256>>>(a, b);
  laneLeavesEachTurn<<<64, 256>>>(a, b);
  guardedByTurn<<<64, 256>>>(a, b);
  oneLane<<<64, 256>>>(a, b);
  halfAWarp<<<64, 256>>>(a, b);
  everyOtherLane<<<64, 256>>>(a, b, 64 * 256);
  edgesOfTheWarp<<<64, 256>>>(a, b);
  return truth::done();
}
