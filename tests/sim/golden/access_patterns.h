// Access patterns of a warp, whose cost was recorded on a real GPU (record_accesses.cu,
// accesses.txt) and is compared with ours (recorded_test.cc of the counters).
#pragma once

struct AccessPattern {
  const char* space;  // "shared" or "global"
  int bytes;          // of each lane
  const char* name;
  int (*offset)(int lane);  // in bytes
  unsigned lanes;           // that make the access
};

inline const AccessPattern access_patterns[] = {
    {"shared", 1, "row", [](int l) { return l; }, ~0u},
    {"shared", 1, "one-bank", [](int l) { return 128 * l; }, ~0u},
    {"shared", 4, "row", [](int l) { return 4 * l; }, ~0u},
    {"shared", 4, "broadcast", [](int) { return 0; }, ~0u},
    {"shared", 4, "every-second", [](int l) { return 8 * l; }, ~0u},
    {"shared", 4, "one-bank", [](int l) { return 128 * l; }, ~0u},
    {"shared", 4, "two-words-of-a-bank", [](int l) { return 128 * (l & 1); }, ~0u},
    {"shared", 4, "pairs", [](int l) { return 4 * (l / 2); }, ~0u},
    {"shared", 8, "row", [](int l) { return 8 * l; }, ~0u},
    {"shared", 8, "broadcast", [](int) { return 0; }, ~0u},
    {"shared", 8, "pairs", [](int l) { return 8 * (l / 2); }, ~0u},
    {"shared", 8, "fours", [](int l) { return 8 * (l / 4); }, ~0u},
    {"shared", 8, "pairs-two-apart", [](int l) { return 8 * (l & ~2); }, ~0u},
    {"shared", 8, "pairs-four-apart", [](int l) { return 8 * (l & ~4); }, ~0u},
    {"shared", 8, "halves-alike", [](int l) { return 8 * (l % 16); }, ~0u},
    {"shared", 8, "quarters-alike", [](int l) { return 8 * (l % 8); }, ~0u},
    {"shared", 8, "one-a-half", [](int l) { return 8 * (l / 16); }, ~0u},
    {"shared", 8, "one-a-half-same-bank", [](int l) { return 128 * (l / 16); }, ~0u},
    {"shared", 8, "every-second", [](int l) { return 16 * l; }, ~0u},
    {"shared", 8, "first-half-on", [](int l) { return 8 * l; }, 0xffffu},
    {"shared", 8, "even-lanes-on", [](int l) { return 8 * l; }, 0x55555555u},
    {"shared", 8, "even-lanes-on-dense", [](int l) { return 8 * (l / 2); }, 0x55555555u},
    {"shared", 16, "row", [](int l) { return 16 * l; }, ~0u},
    {"shared", 16, "broadcast", [](int) { return 0; }, ~0u},
    {"shared", 16, "pairs", [](int l) { return 16 * (l / 2); }, ~0u},
    {"shared", 16, "fours", [](int l) { return 16 * (l / 4); }, ~0u},
    {"shared", 16, "pairs-two-apart", [](int l) { return 16 * (l & ~2); }, ~0u},
    {"shared", 16, "quarters-alike", [](int l) { return 16 * (l % 8); }, ~0u},
    {"shared", 16, "halves-alike", [](int l) { return 16 * (l % 16); }, ~0u},
    {"shared", 16, "every-second", [](int l) { return 32 * l; }, ~0u},
    {"shared", 16, "first-quarter-on", [](int l) { return 16 * l; }, 0xffu},
    {"shared", 16, "even-lanes-on", [](int l) { return 16 * l; }, 0x55555555u},
    {"shared", 16, "even-lanes-on-dense", [](int l) { return 16 * (l / 2); }, 0x55555555u},
    {"global", 4, "row", [](int l) { return 4 * l; }, ~0u},
    {"global", 4, "off-by-one", [](int l) { return 4 * l + 4; }, ~0u},
    {"global", 4, "broadcast", [](int) { return 0; }, ~0u},
    {"global", 4, "every-second", [](int l) { return 8 * l; }, ~0u},
    {"global", 4, "every-32nd", [](int l) { return 128 * l; }, ~0u},
    {"global", 8, "row", [](int l) { return 8 * l; }, ~0u},
    {"global", 8, "broadcast", [](int) { return 0; }, ~0u},
    {"global", 8, "halves-alike", [](int l) { return 8 * (l % 16); }, ~0u},
    {"global", 16, "row", [](int l) { return 16 * l; }, ~0u},
    {"global", 16, "broadcast", [](int) { return 0; }, ~0u},
    {"global", 16, "quarters-alike", [](int l) { return 16 * (l % 8); }, ~0u},
    {"global", 16, "every-second", [](int l) { return 32 * l; }, ~0u},
};
