// Computes the input planes of a position.
#include "search/network/input_planes.hpp"

namespace fourfall::network {

float constant_plane_value(const Geometry& geometry, int plane, int row, int col, int stones) {
    const auto hole = geometry.hole();
    const bool at_or_above_hole = hole && hole->col == col && geometry.rows() - 1 - hole->row <= row;
    const bool is_hole = at_or_above_hole && geometry.rows() - 1 - hole->row == row;
    switch (plane) {
        case kBoard:
            return 1;
        case kHole:
            return is_hole ? 1 : 0;
        case kOddBelow:
            return static_cast<float>((row - (at_or_above_hole && !is_hole ? 1 : 0)) % 2);
        case kOddFree:
            return static_cast<float>((geometry.cells() - stones) % 2);
        case kOddStones:
            return static_cast<float>(stones % 2);
        case kFreeShare:
            return free_share(geometry.cells() - stones);
        default:
            return 0;
    }
}

}  // namespace fourfall::network
