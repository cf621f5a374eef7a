// Replaces the evaluator of the graph search: a student network if the configuration names one, else the network.
//
// The study links this file instead of search/graph/network_evaluator.cpp, so that the engine knows nothing of
// students. The file is compiled for the instruction set under test. A student is named CHANNELSxBLOCKS:FILE in
// `weights`.
#include "search/graph/evaluator.hpp"

#define make_network_evaluator make_teacher_evaluator
#include "search/graph/network_evaluator.cpp"
#undef make_network_evaluator

#include <fstream>
#include <stdexcept>

#include "training/student/model.hpp"

namespace fourfall::graph {
namespace {

template <class L, class Model>
class StudentEvaluator final : public Evaluator<L> {
public:
    using typename Evaluator<L>::Caller;
    using typename Evaluator<L>::Request;

    StudentEvaluator(const std::string& file, const GraphConfig& config, const Geometry& geometry, std::uint64_t seed)
        : masks_(geometry),
          weights_(student::load_weights(file, Model::kAt.size)),
          prior_weight_(static_cast<float>(config.prior)),
          seed_(mix_bits(seed)),
          workspaces_(static_cast<std::size_t>(config.threads)) {}

    void evaluate(std::span<const Request> requests, std::span<Evaluation> results, Caller caller) const override {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const Position<L>& position = requests[i].position;
            const student::Features features(position, masks_);
            const student::StudentOutput output =
                Model::forward(weights_.data(), features, workspaces_[static_cast<std::size_t>(caller.thread)]);
            results[i].value = std::tanh(output.value_logit / 2);
            Random random(seed_ ^ hash(position.key(masks_)));
            for (std::size_t col = 0; col < features.cols; ++col) {
                const float noise = static_cast<float>(random.below(1024)) / 1024 - 0.5F;
                results[i].logits[col] = prior_weight_ * (output.logits[col] + kNoise * noise);
            }
        }
    }
    bool is_slow() const override { return true; }
    // The solver gets about the same share of the time as with the network.
    SolverSchedule solver_schedule() const override {
        constexpr std::uint64_t kMultiplicationsPerPosition = 20'000;
        const auto cells = static_cast<std::uint64_t>(masks_.rows) * static_cast<std::uint64_t>(masks_.cols);
        return {8, 2000, 10 + cells * Model::kMultiplicationsPerCell / kMultiplicationsPerPosition};
    }

private:
    static constexpr float kNoise = 0.1F;  // as in the evaluator of the network

    Masks<L> masks_;
    Floats weights_;
    float prior_weight_;
    std::uint64_t seed_;
    mutable std::vector<typename Model::Workspace> workspaces_;  // by thread
};

// Takes the value from one evaluator and the policy from another one.
template <class L>
class MixedEvaluator final : public Evaluator<L> {
public:
    using typename Evaluator<L>::Caller;
    using typename Evaluator<L>::Request;
    using Part = std::shared_ptr<const Evaluator<L>>;

    MixedEvaluator(Part value, Part policy) : value_(std::move(value)), policy_(std::move(policy)) {}

    void evaluate(std::span<const Request> requests, std::span<Evaluation> results, Caller caller) const override {
        std::vector<Evaluation> values(requests.size());
        value_->evaluate(requests, values, caller);
        policy_->evaluate(requests, results, caller);
        for (std::size_t i = 0; i < requests.size(); ++i) results[i].value = values[i].value;
    }
    bool is_slow() const override { return true; }
    SolverSchedule solver_schedule() const override { return value_->solver_schedule(); }

private:
    Part value_, policy_;
};

template <class L>
std::shared_ptr<const Evaluator<L>> make_student_evaluator(const std::string& size, const std::string& file,
                                                           const GraphConfig& config, const Geometry& geometry,
                                                           std::uint64_t seed) {
    std::shared_ptr<const Evaluator<L>> evaluator;
    student::with_model(size, [&]<class Model>(Model) {
        evaluator = std::make_shared<StudentEvaluator<L, Model>>(file, config, geometry, seed);
    });
    return evaluator;
}

}  // namespace

template <class L>
std::shared_ptr<const Evaluator<L>> make_network_evaluator(const GraphConfig& config, const Geometry& geometry,
                                                           std::uint64_t seed, std::uint64_t cache_bytes) {
    const std::size_t colon = config.weights.find(':'), plus = std::min(config.weights.find('+'), colon);
    if (colon == std::string::npos) return make_teacher_evaluator<L>(config, geometry, seed, cache_bytes);
    const std::string part = config.weights.substr(plus, colon - plus);
    auto student = make_student_evaluator<L>(config.weights.substr(0, plus), config.weights.substr(colon + 1), config,
                                             geometry, seed);
    if (part.empty()) return student;
    auto teacher = make_teacher_evaluator<L>(config, geometry, seed, cache_bytes);
    if (part == "+value") return std::make_shared<MixedEvaluator<L>>(std::move(student), std::move(teacher));
    return std::make_shared<MixedEvaluator<L>>(std::move(teacher), std::move(student));
}

#define FOURFALL_INSTANTIATE(L)                                                                              \
    template std::shared_ptr<const Evaluator<L>> make_network_evaluator(const GraphConfig&, const Geometry&, \
                                                                        std::uint64_t, std::uint64_t);
FOURFALL_FOR_EACH_LAYOUT(FOURFALL_INSTANTIATE)
#undef FOURFALL_INSTANTIATE

}  // namespace fourfall::graph
