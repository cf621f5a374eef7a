// Owns the configurable tree search: selection, expansion, rollout and backup, each after the Config it was given.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "game/board.hpp"
#include "game/random.hpp"
#include "search/analysis.hpp"
#include "search/limits.hpp"
#include "search/searcher.hpp"
#include "search/tree/config.hpp"
#include "search/tree/rollout.hpp"
#include "search/tree/store.hpp"
#include "search/tree/weights.hpp"

namespace fourfall::tree {

std::unique_ptr<Searcher> make_searcher(const Config& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes);

template <class L>
class Search final : public Searcher {
public:
    Search(const Config& config, const Geometry& geometry, std::uint64_t seed, std::uint64_t memory_bytes);
    Analysis run(const Board& board, const Limit& limit, Clock::Time asked, Control& control,
                 const std::function<void(const Analysis&)>& on_snapshot) override;
    TreeNode tree(int depth) const override;

private:
    using Bits = typename L::Bits;
    struct Step {
        NodeId node;
        Edge* edge;
    };

    // The phases. Results and values are -1..1 for the side that chose the edge in question.
    void simulate();
    Edge& pick(Node& node);
    Edge& open_next(Node& node);
    Edge& select(Node& node);
    std::optional<double> arrive_in_tree(Edge& edge, const Position<L>& position, int ply);
    std::optional<double> arrive_in_graph(Edge& edge, const Position<L>& position, int ply);
    NodeId expand(NodeId id, const Position<L>& position, int ply);
    double roll(const Position<L>& position);
    void back_up_tree(double value);
    void back_up_graph();

    void examine(Edge& edge, const Position<L>& position) const;
    void update_proof(Node& node, const Edge& latest) const;
    double reward_of(double value) const { return config_.reward == Reward::kUnit ? (1 + value) / 2 : value; }
    double mean_of(const Edge& edge) const;  // in reward units
    double value_of(const Edge& edge) const;
    Score score_of(const Edge& edge) const;

    // The root.
    void enter_root(const Board& board);
    NodeId kept_root(const Board& board);
    std::optional<int> rule_before(const Position<L>& position, const char*& rule) const;
    using ColumnSet = std::bitset<kMaxSide>;
    const Edge* choose(const Node& node, const ColumnSet& allowed) const;
    const Edge* choose_after_rules(const Node& node) const;
    Position<L> after(const Position<L>& position, int column) const;
    bool gives_win(int column) const;
    bool gives_double_threat(int column) const;
    Analysis report() const;
    TreeNode report_tree(int column, std::uint64_t visits, Score score, NodeId id, int depth) const;

    Config config_;
    Masks<L> masks_;
    std::uint64_t seed_;
    Store<L> store_;
    ColumnLottery expansion_lottery_, rollout_lottery_;
    bool array_rollouts_;
    Random random_{0};
    Clock clock_;
    Profile profile_;

    NodeId root_ = kNoNode;
    Position<L> root_position_{};
    int root_ply_ = 0;
    std::vector<std::uint8_t> root_moves_;
    std::vector<Step> path_;
    std::uint64_t simulations_ = 0, reused_ = 0;
    int depth_ = 0;
    bool out_of_memory_ = false;
};

}  // namespace fourfall::tree
