// How people wrap device memory: what readers.cu reads and writes goes through
// these.
#pragma once

namespace accessors {

__host__ __device__ constexpr int rowMajor(int row, int column, int width) {
  return row * width + column;
}

__device__ inline float loadTwice(const float *from, int i) {
  return from[2 * i];
}

/// Rows of `width` elements.
template <class T> class Grid {
public:
  __host__ __device__ Grid(T *data, int width) : data_(data), width_(width) {}
  __device__ T &operator()(int row, int column) const {
    return data_[rowMajor(row, column, width_)];
  }
  __device__ T *operator[](int row) const { return data_ + row * width_; }
  __device__ T get(int row, int column) const {
    return data_[row * width_ + column];
  }
  __device__ void set(int row, int column, T value) {
    data_[row * width_ + column] = value;
  }

private:
  T *data_;
  int width_;
};

/// Rows that begin `pitch` bytes apart, as cudaMallocPitch lays them out.
struct Pitched {
  char *bytes;
  size_t pitch;
  __device__ float *row(int y) const {
    return reinterpret_cast<float *>(bytes + y * pitch);
  }
};

/// Every `step`th element.
class Every {
public:
  __device__ Every(const float *at, int step) : at_(at), step_(step) {}
  __device__ float operator*() const { return *at_; }
  __device__ Every &operator++() {
    at_ += step_;
    return *this;
  }
  __device__ Every operator+(int n) const {
    return Every(at_ + n * step_, step_);
  }
  __device__ bool operator!=(const Every &other) const {
    return at_ != other.at_;
  }

private:
  const float *at_;
  int step_;
};

struct Range {
  Every first, last;
  __device__ Every begin() const { return first; }
  __device__ Every end() const { return last; }
};

/// Assigning to it writes, reading converts.
class Proxy {
public:
  __device__ explicit Proxy(float *at) : at_(at) {}
  __device__ Proxy &operator=(float value) {
    *at_ = value;
    return *this;
  }
  __device__ operator float() const { return *at_; }

private:
  float *at_;
};

struct Proxied {
  float *data;
  __device__ Proxy operator[](int i) const { return Proxy(data + 4 * i); }
};

/// Tells its base class where its elements are.
template <class Derived> struct Sum {
  __device__ float total(int i) const {
    const Derived &self = static_cast<const Derived &>(*this);
    return self.element(i) + self.element(i + 65536);
  }
};
struct Strided : Sum<Strided> {
  const float *data;
  explicit Strided(const float *data) : data(data) {}
  __device__ float element(int i) const { return data[i * 4]; }
};

} // namespace accessors
