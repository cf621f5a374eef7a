// Assigns the fields of tree and graph configurations by their names.
#include "browser/engine_settings.hpp"

#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/errors.hpp"

namespace fourfall {
namespace {

using Value = std::optional<double>;

template <class Field>
void assign(Field& field, const Value& value) {
    if (!value) throw EngineError("the value is null");
    if constexpr (std::is_enum_v<Field>)
        field = static_cast<Field>(static_cast<int>(*value));
    else if constexpr (std::is_same_v<Field, bool>)
        field = *value != 0;
    else
        field = static_cast<Field>(*value);
}
template <class Field>
void assign(std::optional<Field>& field, const Value& value) {
    field.reset();
    if (value) assign(field.emplace(), value);
}

// Assigns the field of this name; returns false if there is none.
bool set_field(tree::TreeConfig& config, std::string_view name, const Value& value) {
    const auto is_set = [&](std::string_view own, auto& field) {
        if (name != own) return false;
        assign(field, value);
        return true;
    };
    return is_set("formula", config.formula) || is_set("exploration", config.exploration) ||
           is_set("revisit_fresh", config.revisit_fresh) || is_set("expansion", config.expansion) ||
           is_set("expansion_weights", config.expansion_weights) || is_set("terminal_test", config.terminal_test) ||
           is_set("end_on_win", config.end_on_win) || is_set("forced_replies", config.forced_replies) ||
           is_set("rollout", config.rollout) || is_set("representation", config.representation) ||
           is_set("reward", config.reward) || is_set("sums", config.sums) || is_set("proofs", config.proofs) ||
           is_set("root_win", config.root_win) || is_set("root_block", config.root_block) ||
           is_set("root_double_threat", config.root_double_threat) || is_set("avoid_gifts", config.avoid_gifts) ||
           is_set("avoid_double_threats", config.avoid_double_threats) || is_set("choice", config.choice) ||
           is_set("graph", config.graph) || is_set("reuse", config.reuse) || is_set("storage", config.storage) ||
           is_set("reclaim", config.reclaim) || is_set("capacity", config.capacity) ||
           is_set("move_time_s", config.move_time_s) || is_set("simulations", config.simulations);
}

bool set_field(graph::GraphConfig& config, std::string_view name, const Value& value) {
    const auto is_set = [&](std::string_view own, auto& field) {
        if (name != own) return false;
        assign(field, value);
        return true;
    };
    return is_set("exploration", config.exploration) || is_set("prior", config.prior) ||
           is_set("first_play_urgency", config.first_play_urgency) ||
           is_set("lower_confidence_bound", config.lower_confidence_bound) || is_set("evaluator", config.evaluator) ||
           is_set("rollouts", config.rollouts) || is_set("arithmetic", config.arithmetic) ||
           is_set("solver", config.solver) || is_set("threads", config.threads) ||
           is_set("move_time_s", config.move_time_s) || is_set("simulations", config.simulations);
}

Value read_value(std::string_view text) {
    if (text == "null") return std::nullopt;
    return std::strtod(std::string(text).c_str(), nullptr);
}

template <class Config>
Config read_fields(std::string_view text) {
    Config config;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::size_t space = line.find(' ');
        const std::string_view name = line.substr(0, space);
        const bool is_known =
            space != std::string_view::npos && set_field(config, name, read_value(line.substr(space + 1)));
        if (!is_known) throw EngineError("unknown field in the configuration of an engine: " + std::string(name));
    }
    return config;
}

// The same engine without a network, with the selection constants for rollouts.
void use_rollouts(graph::GraphConfig& config) {
    const graph::GraphConfig rollouts;
    config.evaluator = rollouts.evaluator;
    config.exploration = rollouts.exploration;
    config.prior = rollouts.prior;
    config.first_play_urgency = rollouts.first_play_urgency;
    config.lower_confidence_bound = rollouts.lower_confidence_bound;
}

}  // namespace

NetworkLoader::NetworkLoader(std::vector<std::uint8_t> data) : data_(std::move(data)) {
    load(graph::Arithmetic::kFastest);
}

std::shared_ptr<const network::Network> NetworkLoader::load(graph::Arithmetic arithmetic) {
    const bool is_float32 = arithmetic == graph::Arithmetic::kFloat32;
    auto& network = is_float32 ? float32_ : fastest_;
    if (!network)
        network = std::make_shared<network::Network>(network::read_weights(data_, "the weights file"),
                                                     is_float32 ? network::kFloat32 : "");
    return network;
}

EngineConfig read_engine_config(bool is_graph, std::string_view text, NetworkLoader* loader) {
    if (!is_graph) return read_fields<tree::TreeConfig>(text);
    auto config = read_fields<graph::GraphConfig>(text);
    config.threads = 1;
    if (config.evaluator != graph::EvaluatorKind::kNetwork) return config;
    if (loader != nullptr)
        config.network = loader->load(config.arithmetic);
    else
        use_rollouts(config);
    return config;
}

}  // namespace fourfall
