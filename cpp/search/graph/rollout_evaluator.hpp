// Owns the evaluation by games: the mean of a few informed ones, and what the lines through a move's cell suggest.
#pragma once

#include "game/dispatch.hpp"
#include "search/graph/evaluator.hpp"
#include "search/graph/prior.hpp"
#include "search/graph/rollout.hpp"

namespace fourfall::graph {

template <class L>
class RolloutEvaluator final : public Evaluator<L> {
public:
    using typename Evaluator<L>::Asker;
    using typename Evaluator<L>::Question;

    RolloutEvaluator(const Masks<L>& masks, int games, double prior)
        : masks_(masks), prior_(masks), games_(games), prior_weight_(static_cast<float>(prior)) {}

    void evaluate(std::span<const Question> questions, std::span<Evaluation> answers, Asker asker) const override {
        dispatch<L>([&]<class Lines>(Lines) {
            Random local = asker.random;  // a copy lives in registers
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
            asker.random = local;
        });
    }

    SolverShare solver_share() const override { return {64, 1000, 3}; }

private:
    Masks<L> masks_;
    Prior<L> prior_;
    int games_;
    float prior_weight_;
};

}  // namespace fourfall::graph
