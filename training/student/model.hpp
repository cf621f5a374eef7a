// The student network: tables of line patterns, separable convolutions on the free cells, and heads for value and
// policy.
//
// h = ReLU(sum of the table rows of a free cell). Each block adds ReLU(W (D * h) + b) to h, where D * has for
// each channel a 3x3 convolution on the free cells, the same for left and right, and weighted sums over the cells below
// and above in the column and over the cells that each side gets. The value is computed from sums over the cells that
// each side gets, over the landing cells, the maximum over all free cells, and the globals; the policy from the
// landing cell, the cell above it and the first hidden layer of the value.
#pragma once

#include <array>
#include <cmath>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "game/aligned.hpp"
#include "game/random.hpp"
#include "training/student/features.hpp"
#include "training/student/matrix.hpp"

namespace fourfall::student {

struct StudentOutput {
    float value_logit = 0;  // value = tanh(value_logit / 2)
    std::array<float, kMaxSide> logits{};
};

template <std::size_t kChannels, std::size_t kBlocks>
class Model {
public:
    static constexpr std::size_t kHidden = 64, kPolicyHidden = 32, kSmallHidden = 32;
    // Of D: below, level, above, each for the same column and for both sides; then sums over the cells below and above
    // in the column, and over the cells that each side gets.
    static constexpr std::size_t kBelow = 6, kAbove = 7, kMine = 8, kTheirs = 9, kTaps = 10;
    static constexpr float kColumnScale = 1.0F / 4;
    static constexpr std::size_t kPooled = 4 * kChannels + kGlobals;
    static constexpr float kCellScale = 1.0F / 32, kLandingScale = 1.0F / 8;
    static constexpr std::size_t kC = kChannels;
    static constexpr std::size_t kMultiplicationsPerCell = kBlocks * kC * (kC + kNeighbours);

    // Offsets of the weights in one array.
    struct Block {
        std::size_t taps, matrix, bias;
    };
    struct Offsets {
        std::size_t table = 0;
        std::array<Block, kBlocks> blocks{};
        std::size_t value_in{}, value_bias{}, value_middle{}, middle_bias{}, value_out{}, value_base{};
        std::size_t policy_cell{}, policy_in{}, policy_bias{}, policy_out{}, size{};

        constexpr Offsets() {
            std::size_t next = kParts.rows * kC;
            const auto take = [&](std::size_t count) { return std::exchange(next, next + (count + 15) / 16 * 16); };
            for (Block& block : blocks) block = {take(kTaps * kC), take(kC * kC), take(kC)};
            value_in = take(kPooled * kHidden), value_bias = take(kHidden);
            value_middle = take(kHidden * kSmallHidden), middle_bias = take(kSmallHidden);
            value_out = take(kSmallHidden), value_base = take(1);
            policy_cell = take(2 * kC * kPolicyHidden), policy_in = take(kHidden * kPolicyHidden);
            policy_bias = take(kPolicyHidden), policy_out = take(kPolicyHidden);
            size = next;
        }
    };
    static const Offsets kAt;

    // Activations of one position.
    struct Workspace {
        std::array<Floats, kBlocks + 1> states;  // [free cells + 1][channels]; the last row is zero
        std::array<Floats, kBlocks> mixed, added;
        alignas(64) std::array<float, kPooled> pooled;
        alignas(64) std::array<float, kHidden> hidden, hidden_gradient;
        alignas(64) std::array<float, kSmallHidden> middle, middle_gradient;
        alignas(64) std::array<float, kPolicyHidden> shared, shared_gradient;
        std::size_t moves = 0;  // safe moves, from the left
        Floats moved;           // [moves][landing cell and the cell above it]
        alignas(64) std::array<float, kMaxSide * kPolicyHidden> policy, policy_gradient;
        Floats gradient, mixed_gradient, moved_gradient, transposed;

        Workspace()
            : moved(kMaxSide * 2 * kC),
              gradient(kRows * kC),
              mixed_gradient(kRows * kC),
              moved_gradient(kMaxSide * 2 * kC),
              transposed(kAt.size) {
            for (Floats& values : states) values.resize(kRows * kC);
            for (Floats& values : mixed) values.resize(kRows * kC);
            for (Floats& values : added) values.resize(kRows * kC);
        }
        static constexpr std::size_t kRows = kMaxCells + 1;
    };

    static Floats draw_weights(Random& random);
    // The first state: sums of table rows.
    static void add_tables(const float* weights, const Features& features, float* state);
    static StudentOutput forward(const float* weights, const Features& features, Workspace& work);
    // Prepares the workspace for calls of backward() with these weights.
    static void transpose(const float* weights, Workspace& work);
    // Adds the gradient of the loss; `loss` has its derivatives by the outputs of the last forward().
    static void backward(const float* weights, const Features& features, Workspace& work, const StudentOutput& loss,
                         float* gradient);

private:
    static constexpr std::size_t kVectors = kC / kLanes;
    // Tap of a neighbour: by height, and the same for both sides.
    static constexpr std::array<std::size_t, kNeighbours> kTapOf{1, 0, 1, 3, 2, 3, 5, 4, 5};

    static void mix(const float* taps, const Features& features, const float* state, float* mixed);
    static void pool(const Features& features, Workspace& work);
    static void evaluate_moves(const float* weights, const Features& features, Workspace& work, StudentOutput& output);
    static void mix_backward(const float* taps, const Features& features, const float* state,
                             const float* mixed_gradient, float* state_gradient, float* taps_gradient);
    static void policy_backward(const float* weights, const Features& features, Workspace& work,
                                const StudentOutput& loss, float* gradient);
    static void pool_backward(const Features& features, Workspace& work, const float* pooled_gradient);
    static void heads_backward(const float* weights, const Features& features, Workspace& work,
                               const StudentOutput& loss, float* gradient);
};

template <std::size_t kChannels, std::size_t kBlocks>
constexpr typename Model<kChannels, kBlocks>::Offsets Model<kChannels, kBlocks>::kAt{};

template <std::size_t kChannels, std::size_t kBlocks>
Floats Model<kChannels, kBlocks>::draw_weights(Random& random) {
    Floats weights(kAt.size);
    const auto fill = [&](std::size_t from, std::size_t count, double scale) {
        for (std::size_t i = 0; i < count; ++i) {
            double sum = -6;  // nearly normal
            for (int j = 0; j < 12; ++j) sum += static_cast<double>(random.next() >> 11) * 0x1p-53;
            weights[from + i] = static_cast<float>(sum * scale);
        }
    };
    fill(kAt.table, kParts.rows * kC, 0.4);
    for (const Block& block : kAt.blocks) {
        fill(block.taps, kTaps * kC, 0.2);
        for (std::size_t c = 0; c < kC; ++c) weights[block.taps + 2 * kC + c] = 1;
        fill(block.matrix, kC * kC, std::sqrt(1.0 / kC));
    }
    fill(kAt.value_in, kPooled * kHidden, std::sqrt(1.0 / kPooled));
    fill(kAt.value_middle, kHidden * kSmallHidden, std::sqrt(2.0 / kHidden));
    fill(kAt.value_out, kSmallHidden, std::sqrt(1.0 / kSmallHidden));
    fill(kAt.policy_cell, 2 * kC * kPolicyHidden, std::sqrt(0.5 / kC));
    fill(kAt.policy_in, kHidden * kPolicyHidden, std::sqrt(0.5 / kHidden));
    fill(kAt.policy_out, kPolicyHidden, std::sqrt(1.0 / kPolicyHidden));
    return weights;
}

template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::add_tables(const float* weights, const Features& features, float* state) {
    const float* table = weights + kAt.table;
    for (std::size_t i = 0; i < features.count; ++i)
        for (std::size_t j = 0; j < kVectors; ++j) {
            Vector sum{};
            for (const std::uint16_t row : features.cells[i].rows) sum += load(table + row * kC + j * kLanes);
            store(state + i * kC + j * kLanes, relu(sum));
        }
    std::memset(state + features.count * kC, 0, kC * sizeof(float));
}

template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::mix(const float* taps, const Features& features, const float* state, float* mixed) {
    for (std::size_t j = 0; j < kVectors; ++j) {
        std::array<Vector, kTaps> tap;
        for (std::size_t t = 0; t < kTaps; ++t) tap[t] = load(taps + t * kC + j * kLanes);
        Vector mine{}, theirs{};
        for (std::size_t i = 0; i < features.count; ++i)
            (features.cells[i].is_mine ? mine : theirs) += load(state + i * kC + j * kLanes);
        const Vector everywhere = (tap[kMine] * mine + tap[kTheirs] * theirs) * kCellScale;
        for (std::size_t col = 0; col < features.cols; ++col) {
            Vector below{}, above{};
            const std::size_t begin = features.column_begin[col], end = features.column_begin[col + 1];
            for (std::size_t i = begin; i < end; ++i) above += load(state + i * kC + j * kLanes);
            for (std::size_t i = begin; i < end; ++i) {
                const Vector own = load(state + i * kC + j * kLanes);
                above -= own;
                Vector sum = everywhere + (tap[kBelow] * below + tap[kAbove] * above) * kColumnScale;
                below += own;
                for (std::size_t n = 0; n < kNeighbours; ++n)
                    sum += tap[kTapOf[n]] * load(state + features.cells[i].neighbours[n] * kC + j * kLanes);
                store(mixed + i * kC + j * kLanes, sum);
            }
        }
    }
}

template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::pool(const Features& features, Workspace& work) {
    const float* state = work.states[kBlocks].data();
    for (std::size_t j = 0; j < kVectors; ++j) {
        Vector mine{}, theirs{}, landing{}, maximum{};
        for (std::size_t i = 0; i < features.count; ++i) {
            const Vector value = load(state + i * kC + j * kLanes);
            if (features.cells[i].is_mine)
                mine += value;
            else
                theirs += value;
            maximum = value > maximum ? value : maximum;
        }
        for (std::size_t col = 0; col < features.cols; ++col)
            if (features.landing[col] != Features::kNone)
                landing += load(state + features.landing[col] * kC + j * kLanes);
        float* out = work.pooled.data() + j * kLanes;
        store(out, mine * kCellScale), store(out + kC, theirs * kCellScale);
        store(out + 2 * kC, landing * kLandingScale), store(out + 3 * kC, maximum);
    }
    std::ranges::copy(features.globals, work.pooled.begin() + 4 * kC);
}

template <std::size_t kChannels, std::size_t kBlocks>
void Model<kChannels, kBlocks>::evaluate_moves(const float* weights, const Features& features, Workspace& work,
                                               StudentOutput& output) {
    const float* state = work.states[kBlocks].data();
    work.moves = 0;
    for (std::size_t col = 0; col < features.cols; ++col) {
        if (!features.is_safe[col]) continue;
        const std::size_t above = features.above[col] == Features::kNone ? features.count : features.above[col];
        float* moved = work.moved.data() + work.moves * 2 * kC;
        std::memcpy(moved, state + features.landing[col] * kC, kC * sizeof(float));
        std::memcpy(moved + kC, state + above * kC, kC * sizeof(float));
        std::ranges::copy(work.shared, work.policy.begin() + work.moves * kPolicyHidden);
        ++work.moves;
    }
    add_product<kPolicyHidden>({work.moved.data(), 2 * kC, 1}, weights + kAt.policy_cell, work.policy.data(),
                               work.moves, 2 * kC);
    float* policy = work.policy.data();
    for (std::size_t col = 0; col < features.cols; ++col) {
        if (!features.is_safe[col]) continue;
        for (std::size_t i = 0; i < kPolicyHidden; ++i) {
            policy[i] = policy[i] > 0 ? policy[i] : 0;
            output.logits[col] += policy[i] * weights[kAt.policy_out + i];
        }
        policy += kPolicyHidden;
    }
}

template <std::size_t kChannels, std::size_t kBlocks>
StudentOutput Model<kChannels, kBlocks>::forward(const float* weights, const Features& features, Workspace& work) {
    const auto clear_to_bias = [&](std::size_t bias, auto& values) {
        std::memcpy(values.data(), weights + bias, sizeof(values));
    };
    const auto rectify = [](auto& values) {
        for (float& value : values) value = value > 0 ? value : 0;
    };
    add_tables(weights, features, work.states[0].data());
    for (std::size_t b = 0; b < kBlocks; ++b) {
        const Block& block = kAt.blocks[b];
        const float* state = work.states[b].data();
        float *added = work.added[b].data(), *next = work.states[b + 1].data();
        mix(weights + block.taps, features, state, work.mixed[b].data());
        for (std::size_t i = 0; i < features.count; ++i)
            std::memcpy(added + i * kC, weights + block.bias, kC * sizeof(float));
        add_product<kC>({work.mixed[b].data(), kC, 1}, weights + block.matrix, added, features.count, kC);
        for (std::size_t i = 0; i < features.count * kC; i += kLanes) {
            const Vector activation = relu(load(added + i));
            store(added + i, activation), store(next + i, load(state + i) + activation);
        }
        std::memset(next + features.count * kC, 0, kC * sizeof(float));
    }
    pool(features, work);
    clear_to_bias(kAt.value_bias, work.hidden);
    add_product<kHidden>({work.pooled.data(), kPooled, 1}, weights + kAt.value_in, work.hidden.data(), 1, kPooled);
    rectify(work.hidden);
    clear_to_bias(kAt.middle_bias, work.middle);
    add_product<kSmallHidden>({work.hidden.data(), kHidden, 1}, weights + kAt.value_middle, work.middle.data(), 1,
                              kHidden);
    rectify(work.middle);
    StudentOutput output;
    output.value_logit = weights[kAt.value_base];
    for (std::size_t i = 0; i < kSmallHidden; ++i) output.value_logit += work.middle[i] * weights[kAt.value_out + i];
    clear_to_bias(kAt.policy_bias, work.shared);
    add_product<kPolicyHidden>({work.hidden.data(), kHidden, 1}, weights + kAt.policy_in, work.shared.data(), 1,
                               kHidden);
    evaluate_moves(weights, features, work, output);
    return output;
}

// Calls `use` with a model of the named size. Throws std::invalid_argument if there is none.
template <class F>
void with_model(const std::string& size, F&& use) {
    if (size == "16x1") return use(Model<16, 1>{});
    if (size == "32x1") return use(Model<32, 1>{});
    if (size == "64x2") return use(Model<64, 2>{});
    if (size == "64x4") return use(Model<64, 4>{});
    throw std::invalid_argument("no student has the size " + size);
}

// The file has the weights only.
inline Floats load_weights(const std::string& path, std::size_t size) {
    Floats weights(size);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(weights.data()), static_cast<std::streamsize>(size * sizeof(float)));
    if (!file || file.peek() != std::ifstream::traits_type::eof())
        throw std::runtime_error("not the weights of a student of this size: " + path);
    return weights;
}

}  // namespace fourfall::student
