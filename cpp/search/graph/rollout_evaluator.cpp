// Evaluates positions by the mean of a few informed rollouts, with a policy from the lines through each move's cell.
#include "game/dispatch.hpp"
#include "search/graph/evaluator.hpp"
#include "search/graph/line_prior.inl"
#include "search/graph/tactics.hpp"

namespace fourfall::graph {
namespace {

// Draws one of the cells with equal probability.
template <class Bits>
FOURFALL_FLATTENED inline Bits draw_cell(Bits cells, Random& random) {
    for (auto skip = random.below(static_cast<std::uint32_t>(cells.count())); skip > 0; --skip)
        cells &= ~cells.lowest();
    return cells.lowest();
}

// Plays one game to its end and returns the result (1 win, 0 draw, -1 loss) for the side to move. Any further
// preference among the remaining moves made the engine weaker (docs/strength.md).
template <class L, class Lines>
FOURFALL_FLATTENED inline int play_rollout(ThreatPosition<L, Lines> current, const Masks<L>& masks, Random& random) {
    for (int sign = 1;; sign = -sign) {
        const auto [outcome, moves, gives_up_threats] = find_tactics(current, masks);
        switch (outcome) {
            case TacticalOutcome::kDraw:
                return 0;
            case TacticalOutcome::kWin:
            case TacticalOutcome::kStackedWin:
                return sign;
            case TacticalOutcome::kLoss:
                return -sign;
            case TacticalOutcome::kUndecided:
                break;
        }
        const auto preferred = moves & ~gives_up_threats;
        current.play(draw_cell(preferred.any() ? preferred : moves, random));
    }
}

template <class L>
class RolloutEvaluator final : public Evaluator<L> {
public:
    using typename Evaluator<L>::Caller;
    using typename Evaluator<L>::Request;

    RolloutEvaluator(const GraphConfig& config, const Geometry& geometry)
        : masks_(geometry),
          prior_(masks_),
          rollouts_(config.rollouts),
          prior_weight_(static_cast<float>(config.prior)) {}

    void evaluate(std::span<const Request> requests, std::span<Evaluation> results, Caller caller) const override {
        dispatch<L>([&]<class Lines>(Lines) {
            Random local = caller.random;  // a local copy stays in registers
            for (std::size_t i = 0; i < requests.size(); ++i) {
                const auto& [position, safe] = requests[i];
                const ThreatPosition<L, Lines> start(position);
                int sum = 0;
                for (int rollout = 0; rollout < rollouts_; ++rollout)
                    sum += play_rollout<L, Lines>(start, masks_, local);
                results[i].value = static_cast<float>(sum) / static_cast<float>(rollouts_);
                const auto drops = position.drops(masks_);
                for (auto left = safe; prior_weight_ > 0 && left.any(); left &= ~left.lowest()) {
                    const auto drop = left.lowest();
                    results[i].logits[static_cast<std::size_t>(L::col_of(drop.lowest_index()))] =
                        prior_weight_ * prior_.logit(position, drop, drops);
                }
            }
            caller.random = local;
        });
    }

    SolverSchedule solver_schedule() const override { return {64, 1000, 3}; }

private:
    Masks<L> masks_;
    LinePrior<L> prior_;
    int rollouts_;
    float prior_weight_;
};

}  // namespace

template <class L>
std::shared_ptr<const Evaluator<L>> make_rollout_evaluator(const GraphConfig& config, const Geometry& geometry) {
    return std::make_shared<RolloutEvaluator<L>>(config, geometry);
}

#define FOURFALL_INSTANTIATE(L) \
    template std::shared_ptr<const Evaluator<L>> make_rollout_evaluator(const GraphConfig&, const Geometry&);
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::graph
