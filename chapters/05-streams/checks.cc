// The checks of pipeline: right for any chunk and any number of streams; complete on return; copies
// and kernels side by side.
#include "pipeline.h"

#include <algorithm>
#include <cmath>

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

const lab::Hints hints = {
    {"out-of-bounds",
     "The last chunk is most often shorter than the others: it has min(chunk, n - first) elements. "
     "And a copy counts\nbytes, where a pointer counts elements."},
    {"stream-race",
     "The same bytes are touched twice, and nothing says which comes first. If one of the two is "
     "the host: pipeline has\nreturned before every stream was done. If both are work in streams: "
     "the three steps of a chunk belong into one\nstream, and each chunk needs a place of its own "
     "in device memory."},
    {"launch-error",
     "The device refused a launch. The third argument is bytes of shared memory, the fourth is the "
     "stream; and for n = 0\nthere is nothing to launch."},
    {"api-misuse",
     "Destination first, then source, then the bytes, the direction, and the stream. What is "
     "copied must lie within both\narrays, the last chunk too."},
};

// n floats of pinned memory, with room around them that nobody may write to.
class Pinned {
 public:
  Pinned(int n, float fill) : n_(n) {
    void* memory = nullptr;
    LAB_CUDA(cudaMallocHost(&memory, (n + 2 * guard) * sizeof(float)));
    base_ = static_cast<float*>(memory);
    std::fill_n(base_, n + 2 * guard, fill);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { cudaFreeHost(base_); }

  float* get() const { return base_ + guard; }
  std::vector<float> read() const { return {get(), get() + n_}; }
  bool is_unharmed(float fill) const {
    return std::count(base_, base_ + guard, fill) == guard &&
           std::count(base_ + guard + n_, base_ + 2 * guard + n_, fill) == guard;
  }

 private:
  static constexpr int guard = 64;
  int n_;
  float* base_ = nullptr;
};

struct Streams {
  Streams(int count, bool non_blocking) : all(count) {
    for (cudaStream_t& stream : all)
      LAB_CUDA(cudaStreamCreateWithFlags(&stream,
                                         non_blocking ? cudaStreamNonBlocking : cudaStreamDefault));
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() {
    for (const cudaStream_t stream : all) cudaStreamDestroy(stream);
  }
  std::vector<cudaStream_t> all;
};

struct Shape {
  int n, chunk, streams;
  bool non_blocking = false;  // streams that do not wait for the default stream
};

std::string name_of(const Shape& shape) {
  return "n = " + std::to_string(shape.n) + ", chunks of " + std::to_string(shape.chunk) + ", " +
         std::to_string(shape.streams) + (shape.non_blocking ? " non-blocking" : "") +
         (shape.streams == 1 ? " stream" : " streams");
}

// What the elements that are wrong have in common.
std::string guess(const std::vector<float>& out, const std::vector<double>& expected,
                  float untouched, int chunk) {
  const int n = static_cast<int>(out.size());
  const auto is_untouched = [&](float value) { return value == untouched; };
  if (n == 0) return "";
  if (std::none_of(out.begin(), out.end(), is_untouched))
    return "\nDoes each kernel get its own chunk, x + first and root + first, with the number of "
           "its elements? And does each copy\nmove all of its chunk: bytes, not elements?";
  const int last = (n - 1) / chunk * chunk;
  if (std::all_of(out.begin(), out.end(), is_untouched))
    return "\nNone of out was there when pipeline returned. Copies and kernels in streams are "
           "still under way when the\ncalls return: wait for every stream at the end. And does a "
           "chunk that is not full get its turn?";
  if (std::all_of(out.begin() + last, out.end(), is_untouched) &&
      !lab::first_mismatch(std::vector<float>(out.begin(), out.begin() + last),
                           std::vector<double>(expected.begin(), expected.begin() + last), {}))
    return "\nOnly the last chunk is missing. It may be shorter than the others, and it needs a "
           "turn all the same. And its stream\nmay not be the one that was waited for: wait for "
           "every stream.";
  return "\nSome of out was not there when pipeline returned. Does it wait for every stream, and "
         "copy every chunk back?";
}

profile::Report shape_case(const Shape& shape) {
  return lab::trial(
      name_of(shape),
      [=] {
        const float untouched = -12345;
        const auto values = lab::random_vector(shape.n, 1.f, 8.f);
        std::vector<double> expected(shape.n);
        for (int i = 0; i < shape.n; ++i) expected[i] = std::cbrt(double(values[i]));

        Pinned in(shape.n, untouched), out(shape.n, untouched);
        std::copy(values.begin(), values.end(), in.get());
        lab::Buffer<float> x("x", shape.n), root("root", shape.n);
        Streams streams(shape.streams, shape.non_blocking);
        LAB_CUDA(cudaDeviceSynchronize());
        pipeline(shape.n, in.get(), out.get(), x.get(), root.get(), shape.chunk, streams.all);
        const std::vector<float> result = out.read();  // before anything waits for the device
        LAB_CUDA(cudaDeviceSynchronize());  // what is still under way must not outlive the arrays

        if (auto mismatch = lab::first_mismatch(result, expected, {}))
          lab::fail(lab::describe("out", *mismatch, expected.size()) +
                    guess(result, expected, untouched, shape.chunk));
        lab::expect(out.is_unharmed(untouched),
                    "something was copied to host memory before or behind out. The last chunk is "
                    "shorter than the others:\nit has min(chunk, n - first) elements.");
        lab::expect_equal("in (which is only read)", in.read(), values);
      },
      hints);
}

// What was copied between host and device; nothing where the device does not tell.
struct Copies {
  std::optional<double> calls{}, bytes_in{};
};

Copies copies(const profile::Report& report) {
  if (!profile::has_timeline()) return {};
  double calls = 0, bytes_in = 0;
  for (const profile::Operation& operation : report.timeline) {
    const bool in = operation.kind == "copy to device";
    if (in || operation.kind == "copy to host") ++calls;
    if (in) bytes_in += static_cast<double>(operation.bytes);
  }
  return {calls, bytes_in};
}

}  // namespace

void lab::checks() {
  for (int n : lab::sizes()) shape_case({.n = n, .chunk = 256, .streams = 3});
  shape_case({.n = 1000, .chunk = 7, .streams = 4});
  shape_case({.n = 1000, .chunk = 5000, .streams = 4});  // one chunk, more streams than work
  shape_case({.n = 1000, .chunk = 100, .streams = 1});
  shape_case({.n = 5003, .chunk = 1000, .streams = 2, .non_blocking = true});

  const int chunks = 8;
  const Shape shape{.n = chunks << 16, .chunk = 1 << 16, .streams = 4};
  const double bytes = shape.n * sizeof(float);
  const profile::Report report = shape_case(shape);

  lab::gate({.name = "overlap of copies and kernels",
             .measured = report.overlap,
             .limit = lab::at_least(0.6),
             .good = 1,
             .good_when = "when one chunk is computed while others are copied",
             .naive = 0,
             .naive_when = "when each step waits for the one before",
             .advice =
                 "Look for what makes one chunk wait for another: a single stream, a copy that is "
                 "not cudaMemcpyAsync, a\nkernel without its stream (the default stream waits for "
                 "all others), or a wait inside the loop."});
  lab::gate({.name = "kernels launched",
             .measured = static_cast<double>(report.kernels.size()),
             .limit = lab::exactly(chunks),
             .good = chunks,
             .good_when = "when each chunk is one launch",
             .naive = 1,
             .naive_when = "when everything is computed in one piece",
             .advice = "Nothing can overlap with a kernel that needs all of the data: cut the work "
                       "into chunks.",
             .from_counters = false});
  lab::gate({.name = "copies between host and device",
             .measured = copies(report).calls,
             .limit = lab::exactly(2 * chunks),
             .good = 2 * chunks,
             .good_when = "when each chunk is copied in and out by itself",
             .naive = 2,
             .naive_when = "when all of the data comes and goes in one piece",
             .advice =
                 "A kernel can start when its chunk is there, and its chunk can leave when it "
                 "is done: copy chunk by chunk, in\nboth directions."});
  lab::gate({.name = "bytes copied to the device",
             .measured = copies(report).bytes_in,
             .limit = lab::exactly(bytes),
             .good = bytes,
             .good_when = "when each element is copied once",
             .naive = chunks * bytes,
             .naive_when = "when each chunk brings the whole array along",
             .advice = "Copy the chunk: x + first, in + first, and the bytes of a chunk."});
  lab::gate({.name = "sectors stored by kernels",
             .measured = report.total(counter::store_sectors),
             .limit = lab::at_least(bytes / 32),
             .good = bytes / 32,
             .good_when = "when kernels write all of the roots",
             .naive = 0,
             .naive_when = "when the host computes them",
             .advice = "The work is the device's: launch cube_roots for each chunk."});
}
