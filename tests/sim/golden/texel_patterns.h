// Where the lanes of a warp read or write a texture of 64 x 64 texels: for record_texels.cu and the
// test that replays what it recorded. In a volume of 16 x 16 x 16 texels, the same patterns lie in
// one slice ("flat") or stand across the slices ("deep").
#pragma once

constexpr int volume_size = 16, flat_slice = 3, deep_row = 5;

struct TexelPattern {
  const char* name;
  int lanes;
  int (*x)(int lane);
  int (*y)(int lane);
};

inline int zero(int) { return 0; }

inline const TexelPattern texel_patterns[] = {
    {"row", 32, [](int l) { return l; }, zero},
    {"column", 32, zero, [](int l) { return l; }},
    {"tile-8x4", 32, [](int l) { return l % 8; }, [](int l) { return l / 8; }},
    {"tile-4x8", 32, [](int l) { return l % 4; }, [](int l) { return l / 4; }},
    {"tile-16x2", 32, [](int l) { return l % 16; }, [](int l) { return l / 16; }},
    {"tile-2x16", 32, [](int l) { return l % 2; }, [](int l) { return l / 2; }},
    {"one", 32, [](int) { return 5; }, [](int) { return 9; }},
    {"row-of-two", 32, [](int l) { return 2 * (l % 32); }, zero},
    {"diagonal", 32, [](int l) { return l; }, [](int l) { return l; }},
    {"scattered", 32, [](int l) { return l * 37 % 61; }, [](int l) { return l * 53 % 59; }},
    {"shifted-row", 32, [](int l) { return l + 3; }, [](int) { return 5; }},
    {"half-row", 16, [](int l) { return l; }, zero},
    {"quad", 4, [](int l) { return l % 2; }, [](int l) { return l / 2; }},
    {"lane", 1, [](int) { return 7; }, [](int) { return 7; }},
    {"two-rows", 32, [](int l) { return l / 2; }, [](int l) { return l % 2 * 8; }},
};
