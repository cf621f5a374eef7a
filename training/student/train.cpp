// Trains a student network on the evaluations of its teacher and measures it on other games.
//
//     trainer SIZE train TRAINING_FILE HELD_OUT_FILE WEIGHTS SAMPLES [VALUE_WEIGHT [SEED]]
//         trains and writes the weights; VALUE_WEIGHT is that of the value against the policy in the loss, 1 by default
//     trainer SIZE report HELD_OUT_FILE WEIGHTS      prints the accuracy by kind of position
//     trainer SIZE time FILE                         prints the time of an evaluation
//     trainer SIZE check FILE                        compares gradients with finite differences
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <numbers>

#include "training/student/accuracy.hpp"
#include "training/student/backward.hpp"
#include "training/student/model.hpp"
#include "training/student/sample.hpp"

namespace fourfall::student {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

Features features_of(const Sample& sample) { return Features(sample.position, Masks<L>(sample.geometry())); }

void save(const std::string& path, const Floats& weights) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(weights.data()),
               static_cast<std::streamsize>(weights.size() * sizeof(float)));
    if (!file) throw std::runtime_error("cannot write " + path);
}

// Adam with a learning rate that rises for a short time and falls along a cosine, and a moving average of the weights.
class Optimizer {
public:
    Optimizer(Floats weights, std::uint64_t steps)
        : weights_(std::move(weights)),
          average_(weights_),
          first_(weights_.size()),
          second_(weights_.size()),
          steps_(steps) {}

    const Floats& weights() const { return weights_; }
    const Floats& average() const { return average_; }  // over about the last twentieth of the steps

    void step(const Floats& gradient, float scale) {
        constexpr float kFirst = 0.9F, kSecond = 0.99F, kEpsilon = 1e-8F;
        constexpr double kRate = 0.01, kWarmUp = 500;
        ++step_;
        const double progress = static_cast<double>(step_) / static_cast<double>(steps_);
        const double cosine = 0.5 + 0.5 * std::cos(std::numbers::pi * progress);
        const double rate = kRate * std::min(1.0, static_cast<double>(step_) / kWarmUp) * (0.01 + 0.99 * cosine);
        const double corrected = rate * std::sqrt(1 - std::pow(kSecond, static_cast<double>(step_))) /
                                 (1 - std::pow(kFirst, static_cast<double>(step_)));
        const auto size = static_cast<float>(corrected);
        const auto share = static_cast<float>(20.0 / (static_cast<double>(step_) + 20));
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            const float slope = gradient[i] * scale;
            first_[i] += (1 - kFirst) * (slope - first_[i]);
            second_[i] += (1 - kSecond) * (slope * slope - second_[i]);
            weights_[i] -= size * first_[i] / (std::sqrt(second_[i]) + kEpsilon);
            average_[i] += share * (weights_[i] - average_[i]);
        }
    }

private:
    Floats weights_, average_, first_, second_;
    std::uint64_t steps_, step_ = 0;
};

template <class Network>
Accuracy measure(const Floats& weights, std::span<const Sample> samples) {
    typename Network::Workspace work;
    Accuracy accuracy;
    for (const Sample& sample : samples) {
        const Features features = features_of(sample);
        accuracy.add(compare(sample, features, Network::forward(weights.data(), features, work)));
    }
    return accuracy;
}

template <class Network>
void train(const std::string& training, const std::string& held_out, const std::string& out, std::uint64_t limit,
           float value_weight, std::uint64_t seed) {
    constexpr std::uint64_t kBatch = 128;
    const std::vector<Sample> samples = read_samples(training), others = read_samples(held_out);
    Random random(seed);
    Optimizer optimizer(Network::draw_weights(random), limit / kBatch);
    typename Network::Workspace work;
    Floats gradient(optimizer.weights().size());
    double next_report = 1e5, measuring = 0;
    const auto begin = Clock::now();
    for (std::uint64_t seen = 0; seen + kBatch <= limit;) {
        std::ranges::fill(gradient, 0.0F);
        Network::transpose(optimizer.weights().data(), work);
        for (std::uint64_t i = 0; i < kBatch; ++i, ++seen) {
            const Sample& sample = samples[random.next() % samples.size()];
            const Features features = features_of(sample);
            const StudentOutput output = Network::forward(optimizer.weights().data(), features, work);
            StudentOutput slopes = compare(sample, features, output).gradient;
            slopes.value_logit *= value_weight;
            Network::backward(optimizer.weights().data(), features, work, slopes, gradient.data());
        }
        optimizer.step(gradient, 1.0F / kBatch);
        if (static_cast<double>(seen) < next_report && seen + kBatch <= limit) continue;
        next_report *= std::sqrt(10.0);
        const auto pause = Clock::now();
        measure<Network>(optimizer.average(), others).print(std::to_string(seen) + " samples");
        measuring += seconds_since(pause);
        std::fflush(stdout);
    }
    std::printf("%.0f samples per second\n", static_cast<double>(limit) / (seconds_since(begin) - measuring));
    save(out, optimizer.average());
}

// Accuracy by the number of stones and by winning cells that are not landing cells.
template <class Network>
void report(const std::string& held_out, const std::string& path) {
    const Floats weights = load_weights(path, Network::kAt.size);
    typename Network::Workspace work;
    constexpr std::array<const char*, 3> kKinds{"no distant threats", "distant threats of one side", "of both sides"};
    constexpr std::size_t kPhases = 8;
    Accuracy all;
    std::array<Accuracy, kPhases> phases;
    std::array<Accuracy, 3> kinds;
    for (const Sample& sample : read_samples(held_out)) {
        const Masks<L> masks(sample.geometry());
        const Features features(sample.position, masks);
        const Difference difference = compare(sample, features, Network::forward(weights.data(), features, work));
        const auto distant = sample.position.free_cells(masks) & ~sample.position.drops(masks);
        const bool is_mine = (L::completing_cells(sample.position.mine) & distant).any();
        const bool is_theirs = (L::completing_cells(sample.position.theirs) & distant).any();
        all.add(difference);
        phases[std::min<std::size_t>(kPhases - 1, static_cast<std::size_t>(sample.position.stones()) / 10)].add(
            difference);
        kinds[(is_mine ? 1U : 0U) + (is_theirs ? 1U : 0U)].add(difference);
    }
    all.print("all");
    for (std::size_t i = 0; i < kPhases; ++i) phases[i].print("from " + std::to_string(10 * i) + " stones");
    for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i].print(kKinds[i]);
}

// Calls `work` with the numbers 0..count-1 several times and returns the microseconds of processor time that one call
// takes in the fastest round.
template <class F>
double time_calls(std::size_t count, F&& work) {
    double fastest = 1e9;
    for (int round = 0; round < 10; ++round) {
        const std::clock_t begin = std::clock();
        for (std::size_t i = 0; i < count; ++i) work(i);
        fastest = std::min(fastest, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return 1e6 * fastest / static_cast<double>(count);
}

// Prints how long the parts of an evaluation take.
template <class Network>
void measure_time(const std::string& path) {
    std::vector<Sample> samples = read_samples(path);
    samples.resize(std::min<std::size_t>(samples.size(), 20000));  // too many for the branch prediction to learn them
    Random random(1);
    const Floats weights = Network::draw_weights(random);
    typename Network::Workspace work;
    std::vector<Masks<L>> masks;
    std::vector<Features> features;
    for (const Sample& sample : samples) {
        masks.emplace_back(sample.geometry());
        features.emplace_back(sample.position, masks.back());
    }
    const double of_features =
        time_calls(samples.size(), [&](std::size_t i) { features[i] = Features(samples[i].position, masks[i]); });
    const double of_tables = time_calls(samples.size(), [&](std::size_t i) {
        Network::add_tables(weights.data(), features[i], work.states[0].data());
    });
    const double of_network =
        time_calls(samples.size(), [&](std::size_t i) { Network::forward(weights.data(), features[i], work); });
    std::printf("microseconds: features %.2f, tables %.2f, all layers %.2f; %.0f evaluations per second\n", of_features,
                of_tables, of_network, 1e6 / (of_features + of_network));
}

// Compares slopes along random directions with finite differences. Returns the root of the sum of the squared
// differences, relative to the slopes.
template <class Network>
double check(const std::string& path) {
    constexpr int kRounds = 40;
    constexpr std::size_t kSmallPart = 64, kBatch = 16;
    Random random(3);
    Floats weights = Network::draw_weights(random);
    const std::vector<Sample> samples = read_samples(path);
    typename Network::Workspace work;
    double differences = 0, slopes = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::span<const Sample> batch(&samples[random.next() % (samples.size() - kBatch)], kBatch);
        Floats gradient(weights.size());
        Network::transpose(weights.data(), work);
        for (const Sample& sample : batch) {
            const Features features = features_of(sample);
            const StudentOutput output = Network::forward(weights.data(), features, work);
            Network::backward(weights.data(), features, work, compare(sample, features, output).gradient,
                              gradient.data());
        }
        // Every second direction is in a small part of the weights behind the table.
        const bool is_whole = round % 2 == 0;
        const std::size_t behind = kParts.rows * Network::kC;
        const std::size_t first = is_whole ? 0 : behind + random.next() % (weights.size() - behind);
        const std::size_t end = is_whole ? weights.size() : std::min(weights.size(), first + kSmallPart);
        Floats direction(weights.size());
        double slope = 0;
        for (std::size_t i = first; i < end; ++i) {
            direction[i] = random.next() % 2 == 0 ? 1.0F : -1.0F;
            slope += static_cast<double>(gradient[i]) * static_cast<double>(direction[i]);
        }
        const float step = is_whole ? 1e-5F : 2e-4F;
        const auto loss_at = [&](float distance) {
            Floats moved = weights;
            for (std::size_t i = first; i < end; ++i) moved[i] += distance * direction[i];
            double loss = 0;
            for (const Sample& sample : batch) {
                const Features features = features_of(sample);
                const Difference one = compare(sample, features, Network::forward(moved.data(), features, work));
                loss += one.value_kl + one.policy_kl;
            }
            return loss;
        };
        const double found = (loss_at(step) - loss_at(-step)) / (2 * static_cast<double>(step));
        // Small parts have small slopes; weighted, they count as much as the others.
        const double weight = is_whole ? 1 : static_cast<double>(weights.size()) / kSmallPart;
        differences += weight * (found - slope) * (found - slope), slopes += weight * slope * slope;
    }
    return std::sqrt(differences / slopes);
}

int print_usage() {
    std::fprintf(stderr,
                 "usage: trainer SIZE train TRAINING_FILE HELD_OUT_FILE WEIGHTS SAMPLES [VALUE_WEIGHT [SEED]]\n"
                 "       trainer SIZE report HELD_OUT_FILE WEIGHTS\n"
                 "       trainer SIZE time FILE\n"
                 "       trainer SIZE check FILE\n");
    return 2;
}

template <class Network>
int run(std::span<char*> arguments) {
    const std::string mode = arguments[2];
    const auto number = [&](std::size_t i) { return std::strtoull(arguments[i], nullptr, 10); };
    if (mode == "check" && arguments.size() == 4)
        std::printf("relative difference %.5f\n", check<Network>(arguments[3]));
    else if (mode == "time" && arguments.size() == 4)
        measure_time<Network>(arguments[3]);
    else if (mode == "report" && arguments.size() == 5)
        report<Network>(arguments[3], arguments[4]);
    else if (mode == "train" && arguments.size() >= 7 && arguments.size() <= 9)
        train<Network>(arguments[3], arguments[4], arguments[5], number(6),
                       arguments.size() > 7 ? std::strtof(arguments[7], nullptr) : 1.0F,
                       arguments.size() > 8 ? number(8) : 1);
    else
        return print_usage();
    return 0;
}

}  // namespace
}  // namespace fourfall::student

int main(int count, char** arguments) {
    if (count < 4) return fourfall::student::print_usage();
    int status = 0;
    fourfall::student::with_model(arguments[1], [&]<class Network>(Network) {
        status = fourfall::student::run<Network>({arguments, static_cast<std::size_t>(count)});
    });
    return status;
}
