// Several threads that search one position together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "platform/thread.hpp"
#include "search/solver/alpha_beta.hpp"
#include "search/solver/shared_search.hpp"

namespace fourfall::solver {

// The calling thread is the leader: it observes the limits and the requests to stop. The value of a search does not
// depend on the number of threads; the positions that it takes, and a bound outside the window, do.
template <class L>
class SearchTeam {
public:
    // `memory` is the memory of the leader's table.
    SearchTeam(const Geometry& geometry, std::shared_ptr<TableMemory> memory, int threads)
        : geometry_(geometry), memory_(std::move(memory)), threads_(kHasThreads ? threads : 1) {}

    // As leader.search(). Starts the other threads if the leader needs more than kMinPositions positions.
    int search(AlphaBeta<L>& leader, const Position<L>& position, int n, int alpha, int beta) {
        if (threads_ == 1) return leader.search(position, n, alpha, beta);
        if (const auto value = leader.search_within(position, n, alpha, beta, kMinPositions)) return *value;
        if (leader.is_stopped()) return 0;
        leader.grow_table_to_maximum();
        const auto shared = std::make_unique<SharedSearch>();
        const std::optional<std::uint64_t> max_positions = leader.share_of_positions(threads_);
        while (helpers_.size() + 1 < static_cast<std::size_t>(threads_))
            helpers_.push_back(std::make_unique<AlphaBeta<L>>(geometry_, memory_));
        for (const auto& helper : helpers_) helper->begin(max_positions);
        {
            std::vector<Thread> workers;
            workers.reserve(helpers_.size());
            const StopAtExit stop{*shared};  // before the threads are joined, also on an exception
            for (const auto& helper : helpers_)
                workers.emplace_back([&shared, &position, n, alpha, beta, search = helper.get()] {
                    search->search_shared(*shared, position, n, alpha, beta, std::nullopt);
                });
            leader.search_shared(*shared, position, n, alpha, beta, max_positions);
        }
        for (const auto& helper : helpers_) leader.add_positions(helper->positions());
        return leader.accept(shared->value());
    }

    // Removes the searches of the other threads, which use the memory of the leader's table.
    void clear() { helpers_.clear(); }

private:
    // A thread starts in less time than a search of so many positions takes.
    static constexpr std::uint64_t kMinPositions = 1 << 14;

    struct StopAtExit {
        SharedSearch& shared;
        ~StopAtExit() { shared.stop(); }
    };

    Geometry geometry_;
    std::shared_ptr<TableMemory> memory_;
    int threads_;
    std::vector<std::unique_ptr<AlphaBeta<L>>> helpers_;
};

}  // namespace fourfall::solver
