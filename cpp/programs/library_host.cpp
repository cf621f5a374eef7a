// Loads a strategy library, calls getPoint and clearPoint, and answers over the text protocol.
#include "programs/library_host.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace fourfall::sandbox {
namespace {

struct Point {
    int x, y;
};
using GetPoint = Point* (*)(int, int, const int*, const int*, int, int, int, int);
using ClearPoint = void (*)(Point*);

struct StrategyFunctions {
    GetPoint get_point;
    ClearPoint clear_point;
};

constexpr std::size_t kMaxMessageBytes = 4096;

// A message is its length in four bytes, big-endian, and its text.
void send(int answers_fd, std::string text) {
    text.resize(std::min(text.size(), kMaxMessageBytes));
    const auto size = static_cast<std::uint32_t>(text.size());
    std::string message{static_cast<char>(size >> 24), static_cast<char>(size >> 16), static_cast<char>(size >> 8),
                        static_cast<char>(size)};
    message += text;
    for (std::size_t sent = 0; sent < message.size();) {
        const ssize_t count = write(answers_fd, message.data() + sent, message.size() - sent);
        if (count <= 0) _exit(1);  // the reader has exited
        sent += static_cast<std::size_t>(count);
    }
}

// Calls third-party code. An exception becomes a message, and the result is empty.
template <typename Call>
auto call_guarded(int answers_fd, Call call) -> std::optional<decltype(call())> {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        send(answers_fd, "! memory exceeded");
    } catch (const std::exception& error) {
        send(answers_fd, std::string("! exception ") + error.what());
    } catch (const char* text) {
        send(answers_fd, std::string("! exception ") + text);
    } catch (const std::string& text) {
        send(answers_fd, "! exception " + text);
    } catch (...) {
        send(answers_fd, "! exception of an unknown type");
    }
    return std::nullopt;
}

std::optional<StrategyFunctions> load(const std::string& path, int answers_fd) {
    const auto handle = call_guarded(answers_fd, [&] { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); });
    if (!handle) return std::nullopt;
    if (*handle == nullptr) {
        const char* reason = dlerror();
        send(answers_fd, std::string("! cannot load ") + (reason == nullptr ? path : reason));
        return std::nullopt;
    }
    void* const get_point = dlsym(*handle, "getPoint");
    void* const clear_point = dlsym(*handle, "clearPoint");
    if (get_point == nullptr || clear_point == nullptr) {
        send(answers_fd, std::string("! interface missing ") + (get_point == nullptr ? "getPoint" : "clearPoint"));
        return std::nullopt;
    }
    return StrategyFunctions{reinterpret_cast<GetPoint>(get_point), reinterpret_cast<ClearPoint>(clear_point)};
}

// Reads requests, each a line of numbers.
class RequestReader {
public:
    explicit RequestReader(int descriptor) : descriptor_(descriptor) {}

    // The numbers of the next line; nothing at the end of the input.
    std::optional<std::vector<int>> next() {
        std::string line;
        for (;;) {
            const std::size_t end = buffer_.find('\n');
            if (end != std::string::npos) {
                line = buffer_.substr(0, end);
                buffer_.erase(0, end + 1);
                break;
            }
            std::array<char, 4096> chunk{};
            const ssize_t count = read(descriptor_, chunk.data(), chunk.size());
            if (count <= 0) return std::nullopt;
            buffer_.append(chunk.data(), static_cast<std::size_t>(count));
        }
        std::vector<int> numbers;
        const char* at = line.c_str();
        for (char* end = nullptr;; at = end) {
            const long value = std::strtol(at, &end, 10);
            if (end == at) break;
            numbers.push_back(static_cast<int>(value));
        }
        return numbers;
    }

private:
    int descriptor_;
    std::string buffer_;
};

// Calls getPoint for one move. The arrays are copies, so that a library that writes into them does no harm.
std::optional<Point*> request_move(const StrategyFunctions& library, int answers_fd, const std::vector<int>& game,
                                   const std::vector<int>& turn) {
    const int rows = game[0];
    const int cols = game[1];
    std::vector<int> top(turn.begin() + 2, turn.begin() + 2 + cols);
    std::vector<int> board(turn.begin() + 2 + cols, turn.end());
    return call_guarded(answers_fd, [&] {
        return library.get_point(rows, cols, top.data(), board.data(), turn[0], turn[1], game[2], game[3]);
    });
}

}  // namespace

int serve_library(const std::string& path, int requests_fd, int answers_fd) {
    const std::optional<StrategyFunctions> library = load(path, answers_fd);
    if (!library) return 1;
    send(answers_fd, "ready");
    RequestReader requests(requests_fd);
    const auto game = requests.next();
    if (!game || game->size() != 4) return 1;
    const auto cells = static_cast<std::size_t>((*game)[0]) * static_cast<std::size_t>((*game)[1]);
    while (const auto turn = requests.next()) {
        if (turn->size() != 2 + static_cast<std::size_t>((*game)[1]) + cells) return 1;
        const auto point = request_move(*library, answers_fd, *game, *turn);
        if (!point) return 1;
        if (*point == nullptr) {
            send(answers_fd, "! exception getPoint returned a null pointer");
            return 1;
        }
        send(answers_fd, std::to_string((*point)->x) + " " + std::to_string((*point)->y));
        if (!call_guarded(answers_fd, [&] { return library->clear_point(*point), true; })) return 1;
    }
    return 0;
}

}  // namespace fourfall::sandbox
