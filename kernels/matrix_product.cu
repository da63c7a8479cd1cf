// P = M * N for square matrices. M and P are row-major. N is row-major in one
// kernel and column-major in the others: read down its columns lane by lane,
// loaded into tiles the same way, and loaded into tiles with the corner turned.
#include "program.h"

#define TILE_WIDTH 16

namespace {

__global__ void multiplyRowMajor(const float *M, const float *N, float *P,
                                 int Width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < Width && col < Width) {
    float Pvalue = 0.0f;
    for (int k = 0; k < Width; ++k)
      Pvalue += M[row * Width + k] * N[k * Width + col]; // expect: block-wide-reload
    P[row * Width + col] = Pvalue;
  }
}

__global__ void multiplyColumnMajor(const float *M, const float *N, float *P,
                                    int Width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < Width && col < Width) {
    float Pvalue = 0.0f;
    for (int k = 0; k < Width; ++k)
      Pvalue += M[row * Width + k] *
                N[col * Width + k]; // expect: strided-global-access // expect: block-wide-reload
    P[row * Width + col] = Pvalue;
  }
}

// Tiles are loaded once for each block, but lanes still run down the columns.
__global__ void multiplyTiles(const float *M, const float *N, float *P,
                              int Width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  float Pvalue = 0.0f;
  for (int ph = 0; ph < Width / TILE_WIDTH; ++ph) {
    Mds[ty][tx] = M[row * Width + ph * TILE_WIDTH + tx]; // expect: fine-grained-tile
    Nds[ty][tx] = N[col * Width + ph * TILE_WIDTH + ty]; // expect: uncoalesced-tile-load
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k)
      Pvalue += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  P[row * Width + col] = Pvalue;
}

// Corner turning: lanes read along a column as it is stored, and the tile takes
// it transposed: eight words to a bank.
__global__ void multiplyTurnedTiles(const float *M, const float *N, float *P,
                                    int Width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = by * TILE_WIDTH + ty;
  int col = bx * TILE_WIDTH + tx;

  float Pvalue = 0.0f;
  for (int ph = 0; ph < Width / TILE_WIDTH; ++ph) {
    Mds[ty][tx] = M[row * Width + ph * TILE_WIDTH + tx]; // expect: fine-grained-tile
    int firstRow = bx * TILE_WIDTH; // of N as it is stored
    int firstCol = ph * TILE_WIDTH;
    Nds[tx][ty] = N[(firstRow + ty) * Width + firstCol + tx]; // expect: shared-bank-conflict
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k)
      Pvalue += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  P[row * Width + col] = Pvalue;
}

std::vector<float> transposed(const std::vector<float> &matrix, int width) {
  std::vector<float> result(matrix.size());
  for (int row = 0; row < width; ++row)
    for (int col = 0; col < width; ++col)
      result[std::size_t(col) * width + row] =
          matrix[std::size_t(row) * width + col];
  return result;
}

std::vector<float> multiplyOnHost(const std::vector<float> &M,
                                  const std::vector<float> &columnMajorN,
                                  int width) {
  std::vector<float> P(M.size());
  for (int row = 0; row < width; ++row)
    for (int col = 0; col < width; ++col) {
      const float *m = &M[std::size_t(row) * width];
      const float *n = &columnMajorN[std::size_t(col) * width];
      double sum = 0;
      for (int k = 0; k < width; ++k)
        sum += double(m[k]) * n[k];
      P[std::size_t(row) * width + col] = static_cast<float>(sum);
    }
  return P;
}

} // namespace

int main() {
  const int width = 512;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(width / TILE_WIDTH, width / TILE_WIDTH);
  const std::size_t all = std::size_t(width) * width;
  std::vector<float> M = twin::randomNumbers<float>(all, -1, 1, 1);
  std::vector<float> N = twin::randomNumbers<float>(all, -1, 1, 2);
  std::vector<float> columnMajorN = transposed(N, width);
  std::vector<float> expected = multiplyOnHost(M, columnMajorN, width);

  twin::DeviceArray<float> dM(M), dN(N), dColumns(columnMajorN), P(all);
  multiplyRowMajor<<<grid, block>>>(dM.get(), dN.get(), P.get(), width);
  bool right = program::verify("row-major", P, expected, 1e-4);

  P.clear();
  multiplyColumnMajor<<<grid, block>>>(dM.get(), dColumns.get(), P.get(),
                                       width);
  right = program::verify("column-major", P, expected, 1e-4) && right;

  P.clear();
  multiplyTiles<<<grid, block>>>(dM.get(), dColumns.get(), P.get(), width);
  right = program::verify("column-major, tiles", P, expected, 1e-4) && right;

  P.clear();
  multiplyTurnedTiles<<<grid, block>>>(dM.get(), dColumns.get(), P.get(),
                                       width);
  right = program::verify("column-major, turned tiles", P, expected, 1e-4) &&
          right;
  return right ? 0 : 1;
}
