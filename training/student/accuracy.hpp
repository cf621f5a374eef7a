// Differences between the evaluations of a student and of its teacher.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "training/student/features.hpp"
#include "training/student/model.hpp"
#include "training/student/sample.hpp"

namespace fourfall::student {

struct Difference {
    double value_kl;         // of the winning probability, in nats
    double value_error;      // absolute difference of the values, which are between -1 and 1
    double policy_kl;        // over the safe moves, in nats
    bool is_same_move;       // both policies prefer the same move
    StudentOutput gradient;  // of value_kl + policy_kl by the outputs of the student
};

inline Difference compare(const Sample& sample, const Features& features, const StudentOutput& output) {
    Difference result{};
    constexpr double kTiny = 1e-7;
    const double target = std::clamp((1.0 + sample.value) / 2, kTiny, 1 - kTiny);
    const double found = std::clamp(1 / (1 + std::exp(-static_cast<double>(output.value_logit))), kTiny, 1 - kTiny);
    result.value_kl = target * std::log(target / found) + (1 - target) * std::log((1 - target) / (1 - found));
    result.value_error = 2 * std::abs(target - found);
    result.gradient.value_logit = static_cast<float>(found - target);

    std::size_t best_target = 0, best_found = 0;
    double greatest_target = -1e9, greatest_found = -1e9, target_total = 0, found_total = 0;
    for (std::size_t col = 0; col < features.cols; ++col) {
        if (!features.is_safe[col]) continue;
        const double teacher = sample.logit(static_cast<int>(col)), student = output.logits[col];
        if (teacher > greatest_target) greatest_target = teacher, best_target = col;
        if (student > greatest_found) greatest_found = student, best_found = col;
    }
    std::array<double, kMaxSide> p{}, q{};
    for (std::size_t col = 0; col < features.cols; ++col) {
        if (!features.is_safe[col]) continue;
        target_total += p[col] = std::exp(sample.logit(static_cast<int>(col)) - greatest_target);
        found_total += q[col] = std::exp(output.logits[col] - greatest_found);
    }
    for (std::size_t col = 0; col < features.cols; ++col) {
        if (!features.is_safe[col]) continue;
        p[col] /= target_total, q[col] /= found_total;
        result.policy_kl += p[col] * std::log(std::max(p[col], kTiny) / std::max(q[col], kTiny));
        result.gradient.logits[col] = static_cast<float>(q[col] - p[col]);
    }
    result.is_same_move = best_target == best_found;
    return result;
}

// Means of a group of positions.
class Accuracy {
public:
    void add(const Difference& one) {
        ++count_;
        value_kl_ += one.value_kl, value_error_ += one.value_error, policy_kl_ += one.policy_kl;
        same_moves_ += one.is_same_move ? 1 : 0;
    }
    void print(const std::string& name) const {
        const double count = std::max<double>(1, static_cast<double>(count_));
        std::printf("%s: %zu positions, value KL %.4f, value error %.4f, policy KL %.4f, same move %.4f\n",
                    name.c_str(), count_, value_kl_ / count, value_error_ / count, policy_kl_ / count,
                    static_cast<double>(same_moves_) / count);
    }

private:
    std::size_t count_ = 0, same_moves_ = 0;
    double value_kl_ = 0, value_error_ = 0, policy_kl_ = 0;
};

}  // namespace fourfall::student
