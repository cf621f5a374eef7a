#include "search/network/weights.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

namespace fourfall::network {
namespace {

constexpr std::size_t kAlign = 64;
constexpr std::size_t kPrefix = 12;  // magic, version, length of the header
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMaxBytes = 4'000'000;

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

std::uint32_t number_at(std::span<const std::uint8_t> data, std::size_t at) {
    return data[at] | std::uint32_t{data[at + 1]} << 8 | std::uint32_t{data[at + 2]} << 16 |
           std::uint32_t{data[at + 3]} << 24;
}

// What a damaged header says may be anything.
std::string shown(std::string text) {
    std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

// A flat JSON object of texts and numbers, each value as it is written (texts without their quotes).
class Header {
public:
    Header(const std::string& text, const std::string& name) : name_(name), at_(text.begin()), end_(text.end()) {
        expect('{');
        if (peek() != '}') do {
                const std::string key = quoted();
                expect(':');
                fields_[key] = peek() == '"' ? quoted() : bare();
            } while (accept(','));
        expect('}');
        if (peek() != '\0') fail();
    }

    std::string text(const std::string& key) const {
        const auto found = fields_.find(key);
        if (found == fields_.end()) throw WeightsError(name_ + ": the header lacks \"" + key + '"');
        return found->second;
    }
    int number(const std::string& key, int least, int most, int step) const {
        const std::string value = text(key);
        const bool plain = !value.empty() && value.size() < 6 && value.find_first_not_of("0123456789") == value.npos;
        const int number = plain ? std::stoi(value) : -1;
        if (number < least || number > most || number % step != 0)
            throw WeightsError(name_ + ": \"" + key + "\" is " + shown(value) + ", and this program knows " +
                               std::to_string(least) + (least < most ? ".." + std::to_string(most) : "") +
                               (step > 1 && least < most ? " in steps of " + std::to_string(step) : ""));
        return number;
    }

private:
    [[noreturn]] void fail() const { throw WeightsError(name_ + ": the header is not a flat JSON object"); }
    char peek() {
        while (at_ != end_ && std::strchr(" \t\r\n", *at_) != nullptr) ++at_;
        return at_ == end_ ? '\0' : *at_;
    }
    bool accept(char wanted) { return peek() == wanted && (++at_, true); }
    void expect(char wanted) {
        if (!accept(wanted)) fail();
    }
    std::string quoted() {
        expect('"');
        std::string out;
        for (; at_ != end_ && *at_ != '"'; ++at_) {
            if (*at_ == '\\' && ++at_ == end_) fail();
            out += *at_;
        }
        if (at_ == end_) fail();
        ++at_;
        return out;
    }
    std::string bare() {
        const auto end = std::find_if(at_, end_, [](char c) { return std::strchr(",} \t\r\n", c) != nullptr; });
        std::string out(at_, end);
        if (out.empty() || out.find_first_of("{[\"") != out.npos) fail();
        at_ = end;
        return out;
    }

    const std::string& name_;
    std::string::const_iterator at_, end_;
    std::map<std::string, std::string> fields_;
};

// Takes one tensor after the other.
class Tensors {
public:
    Tensors(std::span<const std::uint8_t> data, std::size_t at, const std::string& name)
        : data_(data), at_(at), name_(name) {}

    Floats take(std::size_t count, bool is_half = false) {
        const std::size_t width = is_half ? 2 : 4, bytes = count * width;
        if (data_.size() - at_ < aligned(bytes))
            throw WeightsError(name_ + ": shorter than its header says: the file is truncated");
        Floats out(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t place = at_ + i * width;
            const std::uint32_t bits = is_half
                                           ? std::uint32_t{data_[place]} << 16 | std::uint32_t{data_[place + 1]} << 24
                                           : number_at(data_, place);
            out[i] = std::bit_cast<float>(bits);
        }
        finite_ = finite_ && std::ranges::all_of(out, [](float weight) { return std::isfinite(weight); });
        at_ += aligned(bytes);
        return out;
    }
    std::size_t position() const { return at_; }
    bool are_finite() const { return finite_; }

private:
    std::span<const std::uint8_t> data_;
    std::size_t at_;
    const std::string& name_;
    bool finite_ = true;
};

}  // namespace

Weights read_weights(std::span<const std::uint8_t> data, const std::string& name) {
    static constexpr std::array<std::uint8_t, 4> kMagic{'F', '4', 'W', '1'};
    if (data.size() < kMagic.size() || !std::ranges::equal(data.first<4>(), kMagic))
        throw WeightsError(name + ": not a weights file: it does not begin with F4W1");
    if (data.size() < kPrefix) throw WeightsError(name + ": shorter than its header: the file is truncated");
    if (const std::uint32_t version = number_at(data, 4); version != kVersion)
        throw WeightsError(name + ": written in version " + std::to_string(version) +
                           " of the format, and this program reads version " + std::to_string(kVersion));
    const std::size_t length = number_at(data, 8);
    if (data.size() > kMaxBytes) throw WeightsError(name + ": larger than 4 MB");
    if (length > data.size() - kPrefix) throw WeightsError(name + ": shorter than its header: the file is truncated");

    Weights out;
    out.header.assign(data.begin() + kPrefix, data.begin() + static_cast<std::ptrdiff_t>(kPrefix + length));
    const Header header(out.header, name);
    header.number("planes", kPlanes, kPlanes, 1);
    const int channels = out.channels = header.number("channels", 32, 256, 32);
    const int blocks = header.number("blocks", 1, 40, 1);
    out.value_hidden = header.number("value_hidden", 16, 256, 16);
    out.policy_hidden = header.number("policy_hidden", 16, 256, 16);
    const std::string dtype = header.text("dtype");
    if (dtype != "bf16" && dtype != "f32")
        throw WeightsError(name + ": \"dtype\" is \"" + shown(dtype) +
                           "\", and this program knows \"bf16\" and \"f32\"");

    Tensors tensors(data, std::min(aligned(kPrefix + length), data.size()), name);
    const auto width = static_cast<std::size_t>(channels);
    const auto convolution = [&](std::size_t from) {
        Convolution taken;
        taken.weights = tensors.take(kTaps * from * width, dtype == "bf16");
        taken.bias = tensors.take(width);
        return taken;
    };
    out.stem = convolution(kPlanes);
    for (int i = 0; i < blocks; ++i) {
        Block block;
        block.first = convolution(width);
        block.second = convolution(width);
        if (i % 2 == 1) block.pooled = tensors.take(2 * width * width);
        out.blocks.push_back(std::move(block));
    }
    const auto value = static_cast<std::size_t>(out.value_hidden), policy = static_cast<std::size_t>(out.policy_hidden);
    out.value_in = tensors.take(2 * width * value);
    out.value_bias = tensors.take(value);
    out.value_out = tensors.take(value);
    out.value_base = tensors.take(1);
    out.policy_cell = tensors.take(width * policy);
    out.policy_in = tensors.take(2 * width * policy);
    out.policy_bias = tensors.take(policy);
    out.policy_out = tensors.take(policy);

    const std::size_t end = tensors.position();
    if (data.size() < end + out.digest.size())
        throw WeightsError(name + ": shorter than its header says: the file is truncated");
    if (data.size() > end + out.digest.size()) throw WeightsError(name + ": longer than its header says");
    out.digest = digest_of(data.first(end));
    if (!std::ranges::equal(out.digest, data.subspan(end)))
        throw WeightsError(name + ": the checksum does not fit: the file is damaged");
    if (!tensors.are_finite()) throw WeightsError(name + ": one of the weights is not a finite number");
    return out;
}

Weights load_weights(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    // One byte more than allowed is enough to see that there are too many.
    std::vector<std::uint8_t> data(kMaxBytes + 1);
    file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size()));
    if (!file.is_open() || file.bad()) throw WeightsError(path + ": " + std::strerror(errno));
    data.resize(static_cast<std::size_t>(file.gcount()));
    return read_weights(data, path);
}

}  // namespace fourfall::network
