// Reads the configuration of an engine from text, and loads the network that it needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/config.hpp"

namespace fourfall {

// The networks of a weights file, one for each kind of arithmetic; each is made when it is first needed.
class NetworkLoader {
public:
    // Throws WeightsError if the data is not a weights file.
    explicit NetworkLoader(std::vector<std::uint8_t> data);
    std::shared_ptr<const network::Network> load(graph::Arithmetic arithmetic);

private:
    std::vector<std::uint8_t> data_;
    std::shared_ptr<const network::Network> fastest_, float32_;
};

// Each line of the text is the name of a field of the configuration and its value: a number (of an enumeration the
// number of the choice) or "null". Throws EngineError for a line that is none. Without a loader, an engine with a
// network evaluates by rollouts.
EngineConfig read_engine_config(bool is_graph, std::string_view text, NetworkLoader* loader);

}  // namespace fourfall
