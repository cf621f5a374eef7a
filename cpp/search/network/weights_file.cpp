// Reads a weights file and checks header, tensors and checksum.
#include "search/network/weights_file.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <system_error>

#include "platform/files.hpp"

namespace fourfall::network {
namespace {

constexpr std::size_t kAlign = 64;
constexpr std::size_t kPrefixBytes = 12;  // magic, version, length of the header
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMaxBytes = 4'000'000;

constexpr std::size_t align_up(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

std::uint32_t read_u32(std::span<const std::uint8_t> data, std::size_t at) {
    return data[at] | std::uint32_t{data[at + 1]} << 8 | std::uint32_t{data[at + 2]} << 16 |
           std::uint32_t{data[at + 3]} << 24;
}

// Makes text from a possibly damaged header printable, at most 40 characters.
std::string make_printable(std::string text) {
    std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

// Parser of a flat JSON object of strings and numbers. Values are kept as text, strings without their quotes.
class HeaderParser {
public:
    HeaderParser(const std::string& text, const std::string& name) : name_(name), at_(text.begin()), end_(text.end()) {
        expect('{');
        if (peek() != '}') do {
                const std::string key = parse_string();
                expect(':');
                fields_[key] = peek() == '"' ? parse_string() : parse_number();
            } while (accept(','));
        expect('}');
        if (peek() != '\0') fail();
    }

    std::string text(const std::string& key) const {
        const auto found = fields_.find(key);
        if (found == fields_.end()) throw WeightsError(name_ + ": the header has no entry \"" + key + '"');
        return found->second;
    }
    int number(const std::string& key, int min, int max, int step) const {
        const std::string value = text(key);
        const bool is_number =
            !value.empty() && value.size() < 6 && value.find_first_not_of("0123456789") == value.npos;
        const int number = is_number ? std::stoi(value) : -1;
        if (number < min || number > max || number % step != 0)
            throw WeightsError(name_ + ": \"" + key + "\" is " + make_printable(value) +
                               "; supported: " + std::to_string(min) + (min < max ? ".." + std::to_string(max) : "") +
                               (step > 1 && min < max ? " in steps of " + std::to_string(step) : ""));
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
    std::string parse_string() {
        expect('"');
        std::string out;
        for (; at_ != end_ && *at_ != '"'; ++at_) {
            if (*at_ == '\\') {
                ++at_;
                if (at_ == end_) fail();
            }
            out += *at_;
        }
        if (at_ == end_) fail();
        ++at_;
        return out;
    }
    std::string parse_number() {
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

// Reads one tensor after the other.
class TensorReader {
public:
    TensorReader(std::span<const std::uint8_t> data, std::size_t at, const std::string& name)
        : data_(data), at_(at), name_(name) {}

    Floats read(std::size_t count, bool is_bf16 = false) {
        const std::size_t width = is_bf16 ? 2 : 4, bytes = count * width;
        if (data_.size() - at_ < align_up(bytes))
            throw WeightsError(name_ + ": the file is truncated: it ends before the last tensor or the checksum");
        Floats out(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t place = at_ + i * width;
            const std::uint32_t bits = is_bf16
                                           ? std::uint32_t{data_[place]} << 16 | std::uint32_t{data_[place + 1]} << 24
                                           : read_u32(data_, place);
            out[i] = std::bit_cast<float>(bits);
        }
        all_finite_ = all_finite_ && std::ranges::all_of(out, [](float weight) { return std::isfinite(weight); });
        at_ += align_up(bytes);
        return out;
    }
    std::size_t position() const { return at_; }
    bool are_all_finite() const { return all_finite_; }

private:
    std::span<const std::uint8_t> data_;
    std::size_t at_;
    const std::string& name_;
    bool all_finite_ = true;
};

}  // namespace

WeightsFile read_weights(std::span<const std::uint8_t> data, const std::string& name) {
    static constexpr std::array<std::uint8_t, 4> kMagic{'F', '4', 'W', '1'};
    if (data.size() < kMagic.size() || !std::ranges::equal(data.first<4>(), kMagic))
        throw WeightsError(name + ": not a weights file: the first four bytes are not F4W1");
    if (data.size() < kPrefixBytes) throw WeightsError(name + ": the file is truncated: the header is incomplete");
    if (const std::uint32_t version = read_u32(data, 4); version != kVersion)
        throw WeightsError(name + ": version " + std::to_string(version) +
                           " of the format is not supported; supported: " + std::to_string(kVersion));
    const std::size_t length = read_u32(data, 8);
    if (data.size() > kMaxBytes) throw WeightsError(name + ": larger than 4 MB");
    if (length > data.size() - kPrefixBytes)
        throw WeightsError(name + ": the file is truncated: the header is incomplete");

    WeightsFile out;
    out.header.assign(data.begin() + kPrefixBytes, data.begin() + static_cast<std::ptrdiff_t>(kPrefixBytes + length));
    const HeaderParser header(out.header, name);
    header.number("planes", kPlanes, kPlanes, 1);
    const int channels = out.channels = header.number("channels", 32, kMaxWidth, 32);
    const int blocks = header.number("blocks", 1, 40, 1);
    out.value_hidden = header.number("value_hidden", 16, kMaxWidth, 16);
    out.policy_hidden = header.number("policy_hidden", 16, kMaxWidth, 16);
    const std::string dtype = header.text("dtype");
    if (dtype != "bf16" && dtype != "f32")
        throw WeightsError(name + ": \"dtype\" is \"" + make_printable(dtype) + "\"; supported: \"bf16\", \"f32\"");

    TensorReader tensors(data, std::min(align_up(kPrefixBytes + length), data.size()), name);
    const auto width = static_cast<std::size_t>(channels);
    const auto read_convolution = [&](std::size_t inputs) {
        ConvolutionWeights convolution;
        convolution.weights = tensors.read(kTaps * inputs * width, dtype == "bf16");
        convolution.bias = tensors.read(width);
        return convolution;
    };
    out.stem = read_convolution(kPlanes);
    for (int i = 0; i < blocks; ++i) {
        ResidualBlock block;
        block.first = read_convolution(width);
        block.second = read_convolution(width);
        if (i % 2 == 1) block.pooled = tensors.read(2 * width * width);
        out.blocks.push_back(std::move(block));
    }
    const auto value = static_cast<std::size_t>(out.value_hidden), policy = static_cast<std::size_t>(out.policy_hidden);
    out.value_in = tensors.read(2 * width * value);
    out.value_bias = tensors.read(value);
    out.value_out = tensors.read(value);
    out.value_base = tensors.read(1);
    out.policy_cell = tensors.read(width * policy);
    out.policy_in = tensors.read(2 * width * policy);
    out.policy_bias = tensors.read(policy);
    out.policy_out = tensors.read(policy);

    const std::size_t end = tensors.position();
    if (data.size() < end + out.digest.size())
        throw WeightsError(name + ": the file is truncated: it ends before the last tensor or the checksum");
    if (data.size() > end + out.digest.size()) throw WeightsError(name + ": the file is longer than its header says");
    out.digest = sha256(data.first(end));
    if (!std::ranges::equal(out.digest, data.subspan(end)))
        throw WeightsError(name + ": wrong checksum: the file is damaged");
    if (!tensors.are_all_finite()) throw WeightsError(name + ": a weight is infinite or NaN");
    return out;
}

WeightsFile load_weights(const std::string& path) {
    // One byte more than the maximum, to detect files that are too large.
    const auto data = read_file(path, kMaxBytes + 1);
    if (!data) throw WeightsError(path + ": " + std::generic_category().message(errno));
    return read_weights(*data, path);
}

}  // namespace fourfall::network
