// Copies between host and device, to be timed.
#pragma once

#include <cstddef>

void to_device(float* device, const float* host, std::size_t bytes);
void to_host(float* host, const float* device, std::size_t bytes);
