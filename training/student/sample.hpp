// A training sample of the student: a position and the teacher's evaluation of it; reader and writer of sample files.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "game/position.hpp"

namespace fourfall::student {

using L = WideLayout;

// A file is an array of samples in the byte order of the machine; all fields have fixed sizes.
struct Sample {
    Position<L> position;                     // for the side to move
    float value;                              // of the teacher, -1..1
    std::uint8_t rows, cols, hole, reserved;  // `hole` is an index of WideLayout
    std::array<std::int16_t, kMaxSide>
        logits;  // of the teacher for safe moves, the greatest is 0; in units of 1 / kLogitScale

    static constexpr float kLogitScale = 256, kLowestLogit = -127;

    Geometry geometry() const { return Geometry(rows, cols, Cell{rows - 1 - L::height_of(hole), L::col_of(hole)}); }
    float logit(int col) const { return static_cast<float>(logits[static_cast<std::size_t>(col)]) / kLogitScale; }
    // Stores a logit relative to the greatest of the safe moves. Much smaller ones, whose probability is 0, are cut
    // off.
    void set_logit(int col, float relative) {
        logits[static_cast<std::size_t>(col)] =
            static_cast<std::int16_t>(std::lround(std::fmax(relative, kLowestLogit) * kLogitScale));
    }
};
static_assert(sizeof(Sample) == 80);

inline std::vector<Sample> read_samples(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = static_cast<std::size_t>(file ? static_cast<std::streamoff>(file.tellg()) : 0);
    if (size == 0 || size % sizeof(Sample) != 0) throw std::runtime_error("not a file of samples: " + path);
    std::vector<Sample> samples(size / sizeof(Sample));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(samples.data()), static_cast<std::streamsize>(size));
    if (!file) throw std::runtime_error("cannot read samples: " + path);
    return samples;
}

}  // namespace fourfall::student
