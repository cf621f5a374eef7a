// The gradient of the student network, by hand; the tests compare it with finite differences.
#pragma once

#include "training/student/model.hpp"

namespace fourfall::student {

// out[rows][outputs] += gradient of `a` in a * b, where b[depth][outputs] and the gradient of the product is given.
inline void add_input_gradient(const float* b, std::span<const float> product_gradient, std::size_t depth, float* out) {
    const std::size_t columns = product_gradient.size();
    for (std::size_t k = 0; k < depth; ++k) {
        float sum = 0;
        for (std::size_t i = 0; i < columns; ++i) sum += b[k * columns + i] * product_gradient[i];
        out[k] += sum;
    }
}
// out[depth][outputs] += gradient of b in a * b.
inline void add_matrix_gradient(const float* a, std::span<const float> product_gradient, std::size_t depth, float* out) {
    const std::size_t columns = product_gradient.size();
    for (std::size_t k = 0; k < depth; ++k) {
        if (a[k] == 0) continue;
        for (std::size_t i = 0; i < columns; ++i) out[k * columns + i] += a[k] * product_gradient[i];
    }
}

template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::mix_backward(const float* taps, const Features& features, const float* state,
                                             const float* mixed_gradient, float* state_gradient, float* taps_gradient) {
    for (std::size_t j = 0; j < kVectors; ++j) {
        std::array<Vector, kTaps> tap, sum{};
        for (std::size_t t = 0; t < kTaps; ++t) tap[t] = load(taps + t * kC + j * kLanes);
        for (std::size_t i = 0; i < features.count; ++i) {
            const Vector value = load(mixed_gradient + i * kC + j * kLanes);
            for (std::size_t n = 0; n < kNeighbours; ++n) {
                const std::size_t at = features.cells[i].neighbours[n] * kC + j * kLanes;
                sum[kTapOf[n]] += value * load(state + at);
                store(state_gradient + at, load(state_gradient + at) + tap[kTapOf[n]] * value);
            }
        }
        for (std::size_t t = 0; t < kTaps; ++t)
            store(taps_gradient + t * kC + j * kLanes, load(taps_gradient + t * kC + j * kLanes) + sum[t]);
    }
}

// Sets work.gradient to the gradient by the last state.
template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::heads_backward(const float* weights, const Features& features, Workspace& work,
                                               const StudentOutput& loss, float* gradient) {
    const float* state = work.states[kBlocks].data();
    float* state_gradient = work.gradient.data();
    std::memset(state_gradient, 0, (features.count + 1) * kC * sizeof(float));
    work.hidden_gradient.fill(0), work.shared_gradient.fill(0);
    for (std::size_t col = 0; col < features.cols; ++col) {
        if (!features.is_safe[col]) continue;
        std::array<float, kPolicyHidden> policy_gradient;
        for (std::size_t i = 0; i < kPolicyHidden; ++i) {
            gradient[kAt.policy_out + i] += loss.logits[col] * work.policy[col][i];
            policy_gradient[i] = work.policy[col][i] > 0 ? loss.logits[col] * weights[kAt.policy_out + i] : 0;
            work.shared_gradient[i] += policy_gradient[i];
        }
        std::size_t part = kAt.policy_cell;
        for (const std::uint8_t cell : {features.landing[col], features.above[col]}) {
            if (cell != Features::kNone) {
                add_matrix_gradient(state + cell * kC, policy_gradient, kC, gradient + part);
                add_input_gradient(weights + part, policy_gradient, kC, state_gradient + cell * kC);
            }
            part += kC * kPolicyHidden;
        }
    }
    for (std::size_t i = 0; i < kPolicyHidden; ++i) gradient[kAt.policy_bias + i] += work.shared_gradient[i];
    add_matrix_gradient(work.hidden.data(), work.shared_gradient, kHidden, gradient + kAt.policy_in);
    add_input_gradient(weights + kAt.policy_in, work.shared_gradient, kHidden, work.hidden_gradient.data());

    gradient[kAt.value_base] += loss.value_logit;
    for (std::size_t i = 0; i < kSmallHidden; ++i) {
        gradient[kAt.value_out + i] += loss.value_logit * work.middle[i];
        work.middle_gradient[i] = work.middle[i] > 0 ? loss.value_logit * weights[kAt.value_out + i] : 0;
        gradient[kAt.middle_bias + i] += work.middle_gradient[i];
    }
    add_matrix_gradient(work.hidden.data(), work.middle_gradient, kHidden, gradient + kAt.value_middle);
    add_input_gradient(weights + kAt.value_middle, work.middle_gradient, kHidden, work.hidden_gradient.data());
    for (std::size_t i = 0; i < kHidden; ++i) {
        if (work.hidden[i] <= 0) work.hidden_gradient[i] = 0;
        gradient[kAt.value_bias + i] += work.hidden_gradient[i];
    }
    add_matrix_gradient(work.pooled.data(), work.hidden_gradient, kPooled, gradient + kAt.value_in);
    alignas(64) std::array<float, kPooled> pooled_gradient{};
    add_input_gradient(weights + kAt.value_in, work.hidden_gradient, kPooled, pooled_gradient.data());

    std::array<bool, kC> is_found{};
    for (std::size_t i = 0; i < features.count; ++i) {
        const float* group = pooled_gradient.data() + (features.cells[i].is_mine ? 0 : kC);
        for (std::size_t c = 0; c < kC; ++c) {
            const bool is_maximum = !is_found[c] && state[i * kC + c] == work.pooled[3 * kC + c];
            is_found[c] = is_found[c] || is_maximum;
            state_gradient[i * kC + c] += kCellScale * group[c] + (is_maximum ? pooled_gradient[3 * kC + c] : 0);
        }
    }
    for (std::size_t col = 0; col < features.cols; ++col)
        if (features.landing[col] != Features::kNone)
            for (std::size_t c = 0; c < kC; ++c)
                state_gradient[features.landing[col] * kC + c] += kLandingScale * pooled_gradient[2 * kC + c];
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
        std::memset(mixed_gradient, 0, features.count * kC * sizeof(float));
        float* transposed = work.transposed.data();
        for (std::size_t i = 0; i < kC; ++i)
            for (std::size_t c = 0; c < kC; ++c) transposed[c * kC + i] = weights[block.matrix + i * kC + c];
        add_product<kC>({added, kC, 1}, transposed, mixed_gradient, features.count, kC);
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
