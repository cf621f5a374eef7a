// libFuzzer target: reads a weights file and evaluates a position with an accepted network.
//
// The first two bytes of the input are the number of blocks of 64 zeros that follow the rest; then comes the valid
// checksum, which the fuzzer would never find.
#include "search/network/weights_file.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "game/board.hpp"
#include "search/network/network.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fourfall;
    if (size < 2) return 0;
    const std::size_t zeros = 64 * (data[0] + 256U * data[1]);
    std::vector<std::uint8_t> content(data + 2, data + size);
    content.resize(content.size() + zeros);
    const network::Digest digest = network::sha256(content);
    content.insert(content.end(), digest.begin(), digest.end());
    try {
        const network::Network reader(network::read_weights(content, "fuzz"));
        const Board board(Geometry(4, 4));
        const network::StemConstants constants(reader.weights(), board.geometry());
        network::Workspace work(constants.layout());
        const auto output = reader.evaluate(constants, network::InputPlanes(board.position(), board.masks()), work);
        if (!(std::abs(output.value) <= 1)) std::abort();
    } catch (const network::WeightsError&) {
    }
    return 0;
}
