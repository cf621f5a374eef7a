// Owns how the search asks what positions are worth: a batch in, values and first impressions out.
#pragma once

#include <array>
#include <span>

#include "game/dispatch.hpp"
#include "game/random.hpp"
#include "search/graph/prior.hpp"
#include "search/graph/rollout.hpp"

namespace fourfall::graph {

struct Evaluation {
    float value = 0;                       // -1..1, for the side to move
    std::array<float, kMaxSide> policy{};  // by column: the logarithm of a move's share; all equal if there is none
};

// Positions come without an immediate win and with at least one safe move; `safe` holds those moves, and only their
// part of the policy is read. One evaluator serves several threads at once.
template <class L>
class Evaluator {
public:
    struct Question {
        Position<L> position;
        typename L::Bits safe;
    };

    virtual ~Evaluator() = default;
    virtual void evaluate(std::span<const Question> questions, std::span<Evaluation> answers, Random& random) const = 0;
};

// The mean of a few informed games, and what the lines through a move's cell suggest.
template <class L>
class RolloutEvaluator final : public Evaluator<L> {
public:
    using typename Evaluator<L>::Question;

    RolloutEvaluator(const Masks<L>& masks, int games, double prior)
        : masks_(masks), prior_(masks), games_(games), prior_weight_(static_cast<float>(prior)) {}

    void evaluate(std::span<const Question> questions, std::span<Evaluation> answers, Random& random) const override {
        dispatch<L>([&]<class Lines>(Lines) {
            Random local = random;  // a copy lives in registers
            for (std::size_t i = 0; i < questions.size(); ++i) {
                const auto& [position, safe] = questions[i];
                const Scene<L, Lines> scene(position);
                int sum = 0;
                for (int game = 0; game < games_; ++game) sum += rollout<L, Lines>(scene, masks_, local);
                answers[i].value = static_cast<float>(sum) / static_cast<float>(games_);
                const auto drops = position.drops(masks_);
                for (auto left = safe; prior_weight_ > 0 && left.any(); left &= ~left.lowest()) {
                    const auto drop = left.lowest();
                    answers[i].policy[static_cast<std::size_t>(L::col_of(drop.lowest_index()))] =
                        prior_weight_ * prior_.impression(position, drop, drops);
                }
            }
            random = local;
        });
    }

private:
    Masks<L> masks_;
    Prior<L> prior_;
    int games_;
    float prior_weight_;
};

}  // namespace fourfall::graph
