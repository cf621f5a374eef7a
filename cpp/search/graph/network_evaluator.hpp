// Owns the evaluation by a network: its value and policy, asked once for a position and its mirror image.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "search/graph/evaluation_cache.hpp"
#include "search/graph/evaluator.hpp"
#include "search/network/network.hpp"

namespace fourfall::graph {

template <class L>
class NetworkEvaluator final : public Evaluator<L> {
public:
    using typename Evaluator<L>::Asker;
    using typename Evaluator<L>::Question;

    struct Settings {
        double prior;
        int threads;
        std::uint64_t seed;
        std::uint64_t cache_bytes;
    };

    NetworkEvaluator(std::shared_ptr<const network::Network> net, const Geometry& geometry, const Settings& settings)
        : masks_(geometry),
          network_(std::move(net)),
          ground_(network_->weights(), geometry),
          prior_weight_(static_cast<float>(settings.prior)),
          seed_(scramble(settings.seed)),
          cache_(settings.cache_bytes) {
        for (int i = 0; i < settings.threads; ++i)
            workspaces_.push_back(std::make_unique<network::Workspace>(ground_.image()));
    }

    void evaluate(std::span<const Question> questions, std::span<Evaluation> answers, Asker asker) const override {
        for (std::size_t i = 0; i < questions.size(); ++i) answers[i] = evaluated(questions[i].position, asker.thread);
    }

    bool is_slow() const override { return true; }
    // Visits are few and dear, so the solver comes early, and is given a part of an evaluation's time: by the size of
    // the layers.
    SolverShare solver_share() const override {
        constexpr std::uint64_t kWorkOfNode = 10'000;
        const network::Weights& weights = network_->weights();
        const auto channels = static_cast<std::uint64_t>(weights.channels);
        const auto cells = static_cast<std::uint64_t>(masks_.rows * masks_.cols);
        return {8, 2000, 10 + cells * channels * channels * weights.blocks.size() / kWorkOfNode};
    }
    std::uint64_t memory_bytes() const override { return cache_.memory_bytes(); }

private:
    // Differences in the policy that are too small to matter, but make the games of one seed differ from another's.
    static constexpr float kTremble = 0.1F;

    Evaluation evaluated(const Position<L>& position, int thread) const {
        const auto key = position.key(masks_);
        Position<L> shown = position;
        auto shown_key = key;
        if (masks_.symmetric) {
            const Position<L> image = position.mirror(masks_);
            if (const auto image_key = image.key(masks_); image_key < key) shown = image, shown_key = image_key;
        }
        const bool is_mirrored = shown_key != key;
        std::optional<network::Opinion> opinion = cache_.find(shown_key);
        Evaluation answer;
        answer.is_new = !opinion;
        if (!opinion) {
            opinion = network_->evaluate(ground_, network::Picture(shown, masks_),
                                         *workspaces_[static_cast<std::size_t>(thread)]);
            cache_.keep(shown_key, *opinion);
        }
        answer.value = opinion->value;
        Random tremble(seed_ ^ hash(key));
        for (int col = 0; col < masks_.cols; ++col) {
            const float part = static_cast<float>(tremble.below(1024)) / 1024;
            answer.policy[static_cast<std::size_t>(col)] =
                prior_weight_ * (opinion->logits[static_cast<std::size_t>(is_mirrored ? masks_.cols - 1 - col : col)] +
                                 kTremble * (part - 0.5F));
        }
        return answer;
    }

    Masks<L> masks_;
    std::shared_ptr<const network::Network> network_;
    network::Ground ground_;
    float prior_weight_;
    std::uint64_t seed_;
    mutable EvaluationCache<typename L::Bits> cache_;
    std::vector<std::unique_ptr<network::Workspace>> workspaces_;  // by thread
};

}  // namespace fourfall::graph
