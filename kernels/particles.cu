// Particles with mass, charge, location, velocity and acceleration: kept as
// structures of 44 bytes, where neighbouring lanes stand 44 bytes apart, and
// as one array for each field, where they stand side by side.
#include "program.h"

namespace {

constexpr int threads = 256;

struct particle {
  float m, c; // mass and charge
  float lx, ly, lz; // location
  float vx, vy, vz; // velocity
  float ax, ay, az; // acceleration
};

__global__ void doubleMass(const particle *p, float *out, int n) {
  int gIdx = blockIdx.x * blockDim.x + threadIdx.x;
  if (gIdx >= n)
    return;
  float temp = p[gIdx].m * 2; // expect: strided-global-access
  out[gIdx] = temp;
}

__global__ void integrate(particle *p, float dt, int n) {
  int gIdx = blockIdx.x * blockDim.x + threadIdx.x;
  if (gIdx >= n)
    return;
  float vx = p[gIdx].vx + dt * p[gIdx].ax; // expect: strided-global-access
  float vy = p[gIdx].vy + dt * p[gIdx].ay; // expect: strided-global-access
  float vz = p[gIdx].vz + dt * p[gIdx].az; // expect: strided-global-access
  p[gIdx].vx = vx; // expect: strided-global-access
  p[gIdx].vy = vy; // expect: strided-global-access
  p[gIdx].vz = vz; // expect: strided-global-access
  p[gIdx].lx += dt * vx; // expect: strided-global-access
  p[gIdx].ly += dt * vy; // expect: strided-global-access
  p[gIdx].lz += dt * vz; // expect: strided-global-access
}

struct particles {
  float *m, *c;
  float *lx, *ly, *lz;
  float *vx, *vy, *vz;
  float *ax, *ay, *az;
};

__global__ void doubleMass(particles p, float *out, int n) {
  int gIdx = blockIdx.x * blockDim.x + threadIdx.x;
  if (gIdx >= n)
    return;
  float temp = p.m[gIdx] * 2;
  out[gIdx] = temp;
}

__global__ void integrate(particles p, float dt, int n) {
  int gIdx = blockIdx.x * blockDim.x + threadIdx.x;
  if (gIdx >= n)
    return;
  float vx = p.vx[gIdx] + dt * p.ax[gIdx];
  float vy = p.vy[gIdx] + dt * p.ay[gIdx];
  float vz = p.vz[gIdx] + dt * p.az[gIdx];
  p.vx[gIdx] = vx;
  p.vy[gIdx] = vy;
  p.vz[gIdx] = vz;
  p.lx[gIdx] += dt * vx;
  p.ly[gIdx] += dt * vy;
  p.lz[gIdx] += dt * vz;
}

constexpr int fieldCount = sizeof(particle) / sizeof(float);

// All that one field's lanes need, field after field.
std::vector<float> fieldsOf(const std::vector<float> &structures) {
  std::size_t n = structures.size() / fieldCount;
  std::vector<float> fields(structures.size());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t f = 0; f < fieldCount; ++f)
      fields[f * n + i] = structures[i * fieldCount + f];
  return fields;
}

std::vector<float> integrateOnHost(std::vector<float> structures, float dt) {
  constexpr int location = 2, velocity = 5, acceleration = 8;
  for (std::size_t i = 0; i < structures.size(); i += fieldCount)
    for (int d = 0; d < 3; ++d) {
      float *p = &structures[i];
      p[velocity + d] += dt * p[acceleration + d];
      p[location + d] += dt * p[velocity + d];
    }
  return structures;
}

} // namespace

int main() {
  const int n = 1000003;
  const float dt = 0.01f;
  const int blocks = (n + threads - 1) / threads;
  std::vector<float> start =
      twin::randomNumbers<float>(std::size_t(n) * fieldCount, -1, 1);
  std::vector<float> expected = integrateOnHost(start, dt);
  std::vector<float> expectedMass(n);
  for (int i = 0; i < n; ++i)
    expectedMass[i] = 2 * start[std::size_t(i) * fieldCount];

  twin::DeviceArray<float> structures(start), mass(n);
  particle *p = reinterpret_cast<particle *>(structures.get());
  doubleMass<<<blocks, threads>>>(p, mass.get(), n);
  bool right =
      program::verify("one field of structures", mass, expectedMass, 0);
  integrate<<<blocks, threads>>>(p, dt, n);
  right = program::verify("structures", structures, expected, 1e-6) && right;

  twin::DeviceArray<float> fields(fieldsOf(start));
  std::size_t next = 0;
  auto field = [&] { return fields.get() + std::size_t(n) * next++; };
  particles q;
  for (float **member : {&q.m, &q.c, &q.lx, &q.ly, &q.lz, &q.vx, &q.vy, &q.vz,
                         &q.ax, &q.ay, &q.az})
    *member = field();
  mass.clear();
  doubleMass<<<blocks, threads>>>(q, mass.get(), n);
  right = program::verify("one field's array", mass, expectedMass, 0) && right;
  integrate<<<blocks, threads>>>(q, dt, n);
  right = program::verify("arrays", fields, fieldsOf(expected), 1e-6) && right;
  return right ? 0 : 1;
}
