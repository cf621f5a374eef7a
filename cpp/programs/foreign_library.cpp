#include "programs/foreign_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace fourfall::jail {
namespace {

struct Point {
    int x, y;
};
using GetPoint = Point* (*)(int, int, const int*, const int*, int, int, int, int);
using ClearPoint = void (*)(Point*);

struct Library {
    GetPoint get_point;
    ClearPoint clear_point;
};

constexpr std::size_t kLongestMessage = 4096;

// A message is its length in four bytes, the highest first, and its text.
void send(int answers, std::string text) {
    text.resize(std::min(text.size(), kLongestMessage));
    const auto size = static_cast<std::uint32_t>(text.size());
    std::string message{static_cast<char>(size >> 24), static_cast<char>(size >> 16), static_cast<char>(size >> 8),
                        static_cast<char>(size)};
    message += text;
    for (std::size_t sent = 0; sent < message.size();) {
        const ssize_t count = write(answers, message.data() + sent, message.size() - sent);
        if (count <= 0) _exit(1);  // nobody listens any more
        sent += static_cast<std::size_t>(count);
    }
}

// Runs foreign code; what it throws becomes a message instead of an end without words.
template <typename Call>
auto guarded(int answers, Call call) -> std::optional<decltype(call())> {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        send(answers, "! memory exceeded");
    } catch (const std::exception& error) {
        send(answers, std::string("! exception ") + error.what());
    } catch (const char* text) {
        send(answers, std::string("! exception ") + text);
    } catch (const std::string& text) {
        send(answers, "! exception " + text);
    } catch (...) {
        send(answers, "! exception of an unknown type");
    }
    return std::nullopt;
}

std::optional<Library> load(const std::string& path, int answers) {
    const auto handle = guarded(answers, [&] { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); });
    if (!handle) return std::nullopt;
    if (*handle == nullptr) {
        const char* reason = dlerror();
        send(answers, std::string("! cannot load ") + (reason == nullptr ? path : reason));
        return std::nullopt;
    }
    void* const get_point = dlsym(*handle, "getPoint");
    void* const clear_point = dlsym(*handle, "clearPoint");
    if (get_point == nullptr || clear_point == nullptr) {
        send(answers, std::string("! interface missing ") + (get_point == nullptr ? "getPoint" : "clearPoint"));
        return std::nullopt;
    }
    return Library{reinterpret_cast<GetPoint>(get_point), reinterpret_cast<ClearPoint>(clear_point)};
}

// Reads questions, each a line of numbers. Reads whole lines only, so nothing of the next question is swallowed.
class Questions {
public:
    explicit Questions(int descriptor) : descriptor_(descriptor) {}

    // The next line's numbers; nothing at the end of the questions.
    std::optional<std::vector<int>> next() {
        std::string line;
        for (;;) {
            const std::size_t end = waiting_.find('\n');
            if (end != std::string::npos) {
                line = waiting_.substr(0, end);
                waiting_.erase(0, end + 1);
                break;
            }
            std::array<char, 4096> chunk{};
            const ssize_t count = read(descriptor_, chunk.data(), chunk.size());
            if (count <= 0) return std::nullopt;
            waiting_.append(chunk.data(), static_cast<std::size_t>(count));
        }
        std::vector<int> numbers;
        const char* at = line.c_str();
        for (int value = 0, used = 0; std::sscanf(at, "%d%n", &value, &used) == 1; at += used) numbers.push_back(value);
        return numbers;
    }

private:
    int descriptor_;
    std::string waiting_;
};

// Asks for one move; the arrays are copies, so a library that writes into them hurts nobody.
std::optional<Point*> ask(const Library& library, int answers, const std::vector<int>& game,
                          const std::vector<int>& turn) {
    const int rows = game[0];
    const int cols = game[1];
    std::vector<int> top(turn.begin() + 2, turn.begin() + 2 + cols);
    std::vector<int> board(turn.begin() + 2 + cols, turn.end());
    return guarded(answers, [&] {
        return library.get_point(rows, cols, top.data(), board.data(), turn[0], turn[1], game[2], game[3]);
    });
}

}  // namespace

int serve_library(const std::string& path, int questions, int answers) {
    const std::optional<Library> library = load(path, answers);
    if (!library) return 1;
    send(answers, "ready");
    Questions asked(questions);
    const auto game = asked.next();
    if (!game || game->size() != 4) return 1;
    const auto cells = static_cast<std::size_t>((*game)[0]) * static_cast<std::size_t>((*game)[1]);
    while (const auto turn = asked.next()) {
        if (turn->size() != 2 + static_cast<std::size_t>((*game)[1]) + cells) return 1;
        const auto point = ask(*library, answers, *game, *turn);
        if (!point) return 1;
        if (*point == nullptr) {
            send(answers, "! exception getPoint returned a null pointer");
            return 1;
        }
        send(answers, std::to_string((*point)->x) + " " + std::to_string((*point)->y));
        if (!guarded(answers, [&] { return library->clear_point(*point), true; })) return 1;
    }
    return 0;
}

}  // namespace fourfall::jail
