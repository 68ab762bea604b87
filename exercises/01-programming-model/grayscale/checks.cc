// The checks of grayscale: odd sizes, padded rows, untouched padding, whole sectors.
#include "grayscale.h"

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

constexpr unsigned char untouched = 0x5a;

profile::Report picture_case(int width, int height, int padding) {
  const std::string name = std::to_string(width) + " x " + std::to_string(height) + " pixels" +
                           (padding ? ", padded rows" : "");
  return lab::trial(
      name,
      [=] {
        // Both pictures are padded by whole pixels; what lies there must stay.
        const std::size_t stride = static_cast<std::size_t>(width + padding);
        const auto bytes = lab::random_vector<int>(stride * height * 4, 0, 255);
        std::vector<unsigned char> colour(bytes.begin(), bytes.end());
        std::vector<unsigned char> expected(stride * height, untouched);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            const unsigned char* p = &colour[(y * stride + x) * 4];
            expected[y * stride + x] =
                static_cast<unsigned char>((77 * p[0] + 150 * p[1] + 29 * p[2]) / 256);
          }
        lab::Buffer<unsigned char> device_colour("colour", colour);
        lab::Buffer<unsigned char> device_grey(
            "grey", std::vector<unsigned char>(stride * height, untouched));
        grayscale(width, height,
                  {reinterpret_cast<const Pixel*>(device_colour.get()), stride * sizeof(Pixel)},
                  {device_grey.get(), stride});
        lab::expect_equal("grey", device_grey.read(), expected);
      },
      {{"out-of-bounds",
        "Blocks come in whole in both directions: compare x with width and y with height before "
        "you touch memory."},
       {"misaligned",
        "A row begins pitch bytes after the one before: add y * pitch to a pointer to bytes, not "
        "to pixels."},
       {"launch-error",
        "A block has at most 1024 threads in all, and an empty picture gets no launch."}});
}

}  // namespace

void lab::checks() {
  picture_case(0, 5, 0);
  picture_case(7, 0, 0);
  picture_case(1, 1, 0);
  for (int width : {31, 32, 33}) picture_case(width, 9, 0);
  picture_case(100, 3, 28);
  picture_case(5, 70, 3);
  picture_case(lab::random_value(40, 90), lab::random_value(40, 90), 6);
  lab::refused_launch([] {
    lab::Buffer<unsigned char> colour("colour", std::vector<unsigned char>(4)), grey("grey", 1);
    grayscale(1, 1, {reinterpret_cast<const Pixel*>(colour.get()), sizeof(Pixel)}, {grey.get(), 1});
  });

  const int width = 256, height = 64;
  const profile::Report report = picture_case(width, height, 0);
  lab::gate({.name = "sectors per load request",
             .measured = report.ratio(counter::load_sectors, counter::load_requests),
             .limit = lab::at_most(4.5),
             .good = 4,
             .good_when = "when the 32 threads of a warp read 32 neighbouring pixels of a row",
             .naive = 32,
             .naive_when = "when the threads of a warp go down a column",
             .advice = "threadIdx.x changes from lane to lane: let it run along the row."});
  lab::gate({.name = "sectors stored by kernels",
             .measured = report.total(counter::store_sectors),
             .limit = lab::at_least(width * height / 32.0),
             .good = width * height / 32.0,
             .good_when = "when kernels write all of grey",
             .naive = 0,
             .naive_when = "when the host computes it",
             .advice = "The work is the device's: one thread for each pixel."});
  lab::gate({.name = "active lanes per warp",
             .measured = report.ratio(counter::thread_instructions, counter::instructions),
             .limit = lab::at_least(31.5),
             .good = 32,
             .good_when = "when blocks are made of whole warps",
             .naive = 1,
             .naive_when = "with one thread in a block",
             .advice = "Make a block's number of threads, x times y, a multiple of 32."});
}
