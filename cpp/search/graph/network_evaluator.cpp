// Evaluates positions by a network, with a cache in which a position and its mirror image share one entry.
#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "game/key.hpp"
#include "platform/mutex.hpp"
#include "platform/pages.hpp"
#include "search/graph/evaluator.hpp"

namespace fourfall::graph {
namespace {

// Outputs of the network by position: a direct-mapped hash table in which the latest entry replaces the previous one.
template <class Bits>
class EvaluationCache {
public:
    explicit EvaluationCache(std::uint64_t memory_bytes)
        : size_(std::bit_floor(std::max<std::uint64_t>(memory_bytes / sizeof(Entry), 1))), entries_(size_) {}

    std::optional<network::NetworkOutput> find(const Bits& key) {
        const std::uint64_t index = index_of(key);
        const LockGuard lock(mutex_of(index));
        const Entry& entry = entries_[index];
        return entry.key == key ? std::optional(entry.output) : std::nullopt;
    }
    void insert(const Bits& key, const network::NetworkOutput& output) {
        const std::uint64_t index = index_of(key);
        const LockGuard lock(mutex_of(index));
        used_ += entries_[index].key.none() ? 1 : 0;
        entries_[index] = {key, output};
    }
    std::uint64_t memory_bytes() const { return used_ * sizeof(Entry); }

private:
    // The key 0 marks an empty entry: the key of a position has at least one bit in every column.
    struct Entry {
        Bits key;
        network::NetworkOutput output;
    };
    static constexpr std::size_t kMutexes = 64;  // enough that threads rarely wait for each other

    std::uint64_t index_of(const Bits& key) const { return hash(key) & (size_ - 1); }
    Mutex& mutex_of(std::uint64_t index) { return mutexes_[index % kMutexes]; }

    std::uint64_t size_;
    std::atomic<std::uint64_t> used_{0};
    Pages<Entry> entries_;
    std::array<Mutex, kMutexes> mutexes_;
};

template <class L>
class NetworkEvaluator final : public Evaluator<L> {
public:
    using typename Evaluator<L>::Caller;
    using typename Evaluator<L>::Request;

    NetworkEvaluator(const GraphConfig& config, const Geometry& geometry, std::uint64_t seed, std::uint64_t cache_bytes)
        : masks_(geometry),
          network_(config.network),
          stem_constants_(network_->weights(), geometry),
          prior_weight_(static_cast<float>(config.prior)),
          seed_(mix_bits(seed)),
          cache_(cache_bytes) {
        for (int i = 0; i < config.threads; ++i)
            workspaces_.push_back(std::make_unique<network::Workspace>(stem_constants_.layout()));
    }

    void evaluate(std::span<const Request> requests, std::span<Evaluation> results, Caller caller) const override {
        for (std::size_t i = 0; i < requests.size(); ++i)
            results[i] = evaluate_position(requests[i].position, caller.thread);
    }

    bool is_slow() const override { return true; }
    // A simulation takes long, so the solver is called after few visits, with a budget that is proportional to the time
    // of an evaluation, estimated from the size of the layers.
    SolverSchedule solver_schedule() const override {
        constexpr std::uint64_t kMultiplicationsPerPosition = 10'000;
        const network::WeightsFile& weights = network_->weights();
        const auto channels = static_cast<std::uint64_t>(weights.channels);
        const auto cells = static_cast<std::uint64_t>(masks_.rows) * static_cast<std::uint64_t>(masks_.cols);
        return {8, 2000, 10 + cells * channels * channels * weights.blocks.size() / kMultiplicationsPerPosition};
    }
    std::uint64_t memory_bytes() const override { return cache_.memory_bytes(); }

private:
    // Range of the noise on the logits: too small to affect strength, large enough that different seeds play different
    // games.
    static constexpr float kNoise = 0.1F;

    Evaluation evaluate_position(const Position<L>& position, int thread) const {
        const auto key = position.key(masks_);
        Position<L> canonical = position;
        auto canonical_key = key;
        if (masks_.is_symmetric) {
            const Position<L> image = position.mirror(masks_);
            if (const auto image_key = image.key(masks_); image_key < key) canonical = image, canonical_key = image_key;
        }
        const bool is_mirrored = canonical_key != key;
        std::optional<network::NetworkOutput> output = cache_.find(canonical_key);
        Evaluation result;
        result.is_cached = output.has_value();
        if (!output) {
            output = network_->evaluate(stem_constants_, network::InputPlanes(canonical, masks_),
                                        *workspaces_[static_cast<std::size_t>(thread)]);
            cache_.insert(canonical_key, *output);
        }
        result.value = output->value;
        Random random(seed_ ^ hash(key));
        for (int col = 0; col < masks_.cols; ++col) {
            const float noise = static_cast<float>(random.below(1024)) / 1024 - 0.5F;
            const int output_col = is_mirrored ? masks_.cols - 1 - col : col;
            result.logits[static_cast<std::size_t>(col)] =
                prior_weight_ * (output->logits[static_cast<std::size_t>(output_col)] + kNoise * noise);
        }
        return result;
    }

    Masks<L> masks_;
    std::shared_ptr<const network::Network> network_;
    network::StemConstants stem_constants_;
    float prior_weight_;
    std::uint64_t seed_;
    mutable EvaluationCache<typename L::Bits> cache_;
    std::vector<std::unique_ptr<network::Workspace>> workspaces_;  // by thread
};

}  // namespace

template <class L>
std::shared_ptr<const Evaluator<L>> make_network_evaluator(const GraphConfig& config, const Geometry& geometry,
                                                           std::uint64_t seed, std::uint64_t cache_bytes) {
    return std::make_shared<NetworkEvaluator<L>>(config, geometry, seed, cache_bytes);
}

#define FOURFALL_INSTANTIATE(L)                                                                              \
    template std::shared_ptr<const Evaluator<L>> make_network_evaluator(const GraphConfig&, const Geometry&, \
                                                                        std::uint64_t, std::uint64_t);
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::graph
