// The gradient of the student network, by hand; the tests compare it with finite differences.
#pragma once

#include "training/student/model.hpp"

namespace fourfall::student {

// Adds a * gradient, the gradient of the matrix in a * matrix, for one row a.
template <std::size_t kColumns, std::size_t kDepth>
void add_matrix_gradient(const std::array<float, kDepth>& a, const std::array<float, kColumns>& gradient, float* out) {
    for (std::size_t k = 0; k < kDepth; ++k)
        for (std::size_t i = 0; i < kColumns; ++i) out[k * kColumns + i] += a[k] * gradient[i];
}

template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::transpose(const float* weights, Workspace& work) {
    const auto one = [&](std::size_t from, std::size_t rows, std::size_t cols) {
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < cols; ++j) work.transposed[from + j * rows + i] = weights[from + i * cols + j];
    };
    for (const Block& block : kAt.blocks) one(block.matrix, kC, kC);
    one(kAt.value_in, kPooled, kHidden), one(kAt.value_middle, kHidden, kSmallHidden);
    one(kAt.policy_cell, 2 * kC, kPolicyHidden), one(kAt.policy_in, kHidden, kPolicyHidden);
}

// The neighbours of a cell have it as their neighbour on the opposite side.
template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::mix_backward(const float* taps, const Features& features, const float* state,
                                             const float* mixed_gradient, float* state_gradient, float* taps_gradient) {
    for (std::size_t j = 0; j < kVectors; ++j) {
        std::array<Vector, kTaps> tap, sum{};
        for (std::size_t t = 0; t < kTaps; ++t) tap[t] = load(taps + t * kC + j * kLanes);
        Vector mine{}, theirs{}, gradients{};
        for (std::size_t i = 0; i < features.count; ++i) {
            (features.cells[i].is_mine ? mine : theirs) += load(state + i * kC + j * kLanes);
            gradients += load(mixed_gradient + i * kC + j * kLanes);
        }
        sum[kMine] = mine * gradients * kCellScale, sum[kTheirs] = theirs * gradients * kCellScale;
        const Vector for_mine = tap[kMine] * gradients * kCellScale, for_theirs = tap[kTheirs] * gradients * kCellScale;
        for (std::size_t col = 0; col < features.cols; ++col) {
            Vector below{}, above{}, gradients_below{}, gradients_above{};
            const std::size_t begin = features.column_begin[col], end = features.column_begin[col + 1];
            for (std::size_t i = begin; i < end; ++i) {
                above += load(state + i * kC + j * kLanes);
                gradients_above += load(mixed_gradient + i * kC + j * kLanes);
            }
            for (std::size_t i = begin; i < end; ++i) {
                const Vector value = load(mixed_gradient + i * kC + j * kLanes),
                             own = load(state + i * kC + j * kLanes);
                above -= own, gradients_above -= value;
                sum[kBelow] += value * below * kColumnScale, sum[kAbove] += value * above * kColumnScale;
                Vector total = load(state_gradient + i * kC + j * kLanes) +
                               (features.cells[i].is_mine ? for_mine : for_theirs) +
                               (tap[kBelow] * gradients_above + tap[kAbove] * gradients_below) * kColumnScale;
                below += own, gradients_below += value;
                for (std::size_t n = 0; n < kNeighbours; ++n) {
                    const std::size_t at = features.cells[i].neighbours[n] * kC + j * kLanes;
                    sum[kTapOf[n]] += value * load(state + at);
                    total += tap[kTapOf[kNeighbours - 1 - n]] * load(mixed_gradient + at);
                }
                store(state_gradient + i * kC + j * kLanes, total);
            }
        }
        for (std::size_t t = 0; t < kTaps; ++t)
            store(taps_gradient + t * kC + j * kLanes, load(taps_gradient + t * kC + j * kLanes) + sum[t]);
    }
}

template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::policy_backward(const float* weights, const Features& features, Workspace& work,
                                                const StudentOutput& loss, float* gradient) {
    work.shared_gradient.fill(0);
    const float* policy = work.policy.data();
    float* policy_gradient = work.policy_gradient.data();
    for (std::size_t col = 0; col < features.cols; ++col) {
        if (!features.is_safe[col]) continue;
        for (std::size_t i = 0; i < kPolicyHidden; ++i) {
            gradient[kAt.policy_out + i] += loss.logits[col] * policy[i];
            policy_gradient[i] = policy[i] > 0 ? loss.logits[col] * weights[kAt.policy_out + i] : 0;
            work.shared_gradient[i] += policy_gradient[i];
        }
        policy += kPolicyHidden, policy_gradient += kPolicyHidden;
    }
    add_product<kPolicyHidden>({work.moved.data(), 1, 2 * kC}, work.policy_gradient.data(), gradient + kAt.policy_cell,
                               2 * kC, work.moves);
    std::ranges::fill(work.moved_gradient, 0.0F);
    add_product<2 * kC>({work.policy_gradient.data(), kPolicyHidden, 1}, work.transposed.data() + kAt.policy_cell,
                        work.moved_gradient.data(), work.moves, kPolicyHidden);
    const float* moved = work.moved_gradient.data();
    for (std::size_t col = 0; col < features.cols; ++col) {
        if (!features.is_safe[col]) continue;
        for (const std::uint8_t cell : {features.landing[col], features.above[col]}) {
            if (cell != Features::kNone)
                for (std::size_t c = 0; c < kC; ++c) work.gradient[cell * kC + c] += moved[c];
            moved += kC;
        }
    }
    for (std::size_t i = 0; i < kPolicyHidden; ++i) gradient[kAt.policy_bias + i] += work.shared_gradient[i];
    add_matrix_gradient(work.hidden, work.shared_gradient, gradient + kAt.policy_in);
    add_product<kHidden>({work.shared_gradient.data(), kPolicyHidden, 1}, work.transposed.data() + kAt.policy_in,
                         work.hidden_gradient.data(), 1, kPolicyHidden);
}

template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::pool_backward(const Features& features, Workspace& work, const float* pooled_gradient) {
    const float* state = work.states[kBlocks].data();
    float* state_gradient = work.gradient.data();
    for (std::size_t j = 0; j < kVectors; ++j) {
        const auto part = [&](std::size_t number) { return load(pooled_gradient + number * kC + j * kLanes); };
        const Vector mine = part(0) * kCellScale, theirs = part(1) * kCellScale, landing = part(2) * kLandingScale;
        const Vector maximum = load(work.pooled.data() + 3 * kC + j * kLanes);
        Vector left = part(3);  // goes to the first cell with the maximum
        for (std::size_t i = 0; i < features.count; ++i) {
            const std::size_t at = i * kC + j * kLanes;
            const auto is_maximum = load(state + at) == maximum;
            store(state_gradient + at, load(state_gradient + at) + (features.cells[i].is_mine ? mine : theirs) +
                                           (is_maximum ? left : Vector{}));
            left = is_maximum ? Vector{} : left;
        }
        for (std::size_t col = 0; col < features.cols; ++col)
            if (const std::uint8_t cell = features.landing[col]; cell != Features::kNone) {
                float* to = state_gradient + cell * kC + j * kLanes;
                store(to, load(to) + landing);
            }
    }
}

// Sets work.gradient to the gradient by the last state.
template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::heads_backward(const float* weights, const Features& features, Workspace& work,
                                               const StudentOutput& loss, float* gradient) {
    const float* transposed = work.transposed.data();
    std::memset(work.gradient.data(), 0, features.count * kC * sizeof(float));
    work.hidden_gradient.fill(0);
    policy_backward(weights, features, work, loss, gradient);
    gradient[kAt.value_base] += loss.value_logit;
    for (std::size_t i = 0; i < kSmallHidden; ++i) {
        gradient[kAt.value_out + i] += loss.value_logit * work.middle[i];
        work.middle_gradient[i] = work.middle[i] > 0 ? loss.value_logit * weights[kAt.value_out + i] : 0;
        gradient[kAt.middle_bias + i] += work.middle_gradient[i];
    }
    add_matrix_gradient(work.hidden, work.middle_gradient, gradient + kAt.value_middle);
    add_product<kHidden>({work.middle_gradient.data(), kSmallHidden, 1}, transposed + kAt.value_middle,
                         work.hidden_gradient.data(), 1, kSmallHidden);
    for (std::size_t i = 0; i < kHidden; ++i) {
        work.hidden_gradient[i] = work.hidden[i] > 0 ? work.hidden_gradient[i] : 0;
        gradient[kAt.value_bias + i] += work.hidden_gradient[i];
    }
    add_matrix_gradient(work.pooled, work.hidden_gradient, gradient + kAt.value_in);
    alignas(64) std::array<float, kPooled> pooled_gradient{};
    add_product<kPooled>({work.hidden_gradient.data(), kHidden, 1}, transposed + kAt.value_in, pooled_gradient.data(),
                         1, kHidden);
    pool_backward(features, work, pooled_gradient.data());
}

template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::backward(const float* weights, const Features& features, Workspace& work,
                                         const StudentOutput& loss, float* gradient) {
    heads_backward(weights, features, work, loss, gradient);
    float *state_gradient = work.gradient.data(), *mixed_gradient = work.mixed_gradient.data();
    for (std::size_t b = kBlocks; b-- > 0;) {
        const Block& block = kAt.blocks[b];
        // From here on `added` has the gradient by W (D * h) + b.
        float* added = work.added[b].data();
        for (std::size_t i = 0; i < features.count * kC; i += kLanes)
            store(added + i, load(added + i) > 0 ? load(state_gradient + i) : Vector{});
        for (std::size_t i = 0; i < features.count; ++i)
            for (std::size_t c = 0; c < kC; ++c) gradient[block.bias + c] += added[i * kC + c];
        add_product<kC>({work.mixed[b].data(), 1, kC}, added, gradient + block.matrix, kC, features.count);
        std::memset(mixed_gradient, 0, (features.count + 1) * kC * sizeof(float));
        add_product<kC>({added, kC, 1}, work.transposed.data() + block.matrix, mixed_gradient, features.count, kC);
        mix_backward(weights + block.taps, features, work.states[b].data(), mixed_gradient, state_gradient,
                     gradient + block.taps);
    }
    const float* state = work.states[0].data();
    float* table = gradient + kAt.table;
    for (std::size_t i = 0; i < features.count; ++i)
        for (std::size_t j = 0; j < kVectors; ++j) {
            const std::size_t at = i * kC + j * kLanes;
            const Vector value = load(state + at) > 0 ? load(state_gradient + at) : Vector{};
            for (const std::uint16_t row : features.cells[i].rows) {
                float* to = table + row * kC + j * kLanes;
                store(to, load(to) + value);
            }
        }
}

}  // namespace fourfall::student
