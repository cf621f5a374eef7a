// A bot for every way to misbehave, as a strategy library or, with PROGRAM defined, as a platform program.
//
// What it does is named by the file it was loaded from (`segfault.so`) or by its first argument. SECRET and TARGET are
// a file that it must not read and one that it must not write. On its first move it misbehaves; where it survives that,
// it says on stderr what happened and plays on.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "choose_move.hpp"

static volatile int sink = 0;

static void spin() {
    for (;;) ++sink;
}

static void report(const char* what, bool succeeded) {
    std::fprintf(stderr, "%s %s\n", what, succeeded ? "SUCCEEDED" : std::strerror(errno));
}

static void end_it(const std::string& mode) {
    if (mode == "segfault") *static_cast<volatile int*>(nullptr) = 1;
    if (mode == "abort") std::abort();
    if (mode == "exception") throw std::runtime_error("thrown on purpose");
    if (mode == "exit0") std::exit(0);
    if (mode == "exit3") _exit(3);
    if (mode == "loop") spin();
    if (mode == "sleep") sleep(60);
    if (mode == "closes")
        for (int descriptor = 0; descriptor < 256; ++descriptor) close(descriptor);
    if (mode == "closes" || mode == "stops") sleep(60);
    if (mode == "ignores") {
        for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
        spin();
    }
}

static void eat_memory() {
    std::vector<char*> kept;
    for (;;) {
        kept.push_back(new char[16 << 20]);
        std::memset(kept.back(), 1, 16 << 20);
    }
}

static void multiply(int count, int seconds) {
    int born = 0;
    for (int i = 0; i < count; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            setsid();
            if (fork() == 0) sleep(static_cast<unsigned>(seconds));
            sleep(static_cast<unsigned>(seconds));
            _exit(0);
        }
        born += child > 0;
    }
    std::fprintf(stderr, "born %d\n", born);
}

static void touch_the_world(const std::string& mode) {
    if (mode == "reads") {
        char text[64] = {};
        const int file = open(SECRET, O_RDONLY);
        report("reading", file >= 0);
        if (file >= 0 && read(file, text, sizeof text - 1) > 0) std::fprintf(stderr, "it says %s\n", text);
    }
    if (mode == "writes") {
        const int file = open(TARGET, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        report("writing", file >= 0);
        if (file >= 0 && write(file, "x", 1) == 1) close(file);
        report("removing", unlink(SECRET) == 0);
    }
    if (mode == "connects") {
        const int phone = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(PORT);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const bool reached = phone >= 0 && connect(phone, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
        report("connecting", reached);
    }
}

static void misbehave(const std::string& mode) {
    static bool done = false;
    if (done) return;
    done = true;
    std::fprintf(stderr, "now %s\n", mode.c_str());
    end_it(mode);
    touch_the_world(mode);
    if (mode == "hog") eat_memory();
    if (mode == "forks") multiply(500, 60);
    if (mode == "children") multiply(2, 60);
    if (mode == "garbage") std::printf("hello, judge!\n"), std::fflush(stdout);
}

static Move choose_badly(const std::string& mode, int rows, int cols, const int* top, const int* board, int no_x,
                           int no_y) {
    if (mode == "column") return {rows - 1, cols};
    if (mode == "hole") return {no_x, no_y};
    const Move move = choose_move(rows, cols, top, board);
    if (mode == "row") return {move.x - 1, move.y};
    return move;
}

#ifdef PROGRAM

static void answer(const std::string& text, std::size_t shown) {
    const auto length = static_cast<unsigned>(text.size());
    for (int shift : {24, 16, 8, 0}) std::putchar(static_cast<int>(length >> shift & 255));
    std::fwrite(text.data(), 1, shown, stdout);
    std::fflush(stdout);
}

int main(int, char** argv) {
    const std::string mode = argv[1];
    int rows, cols, no_x, no_y, last_x, last_y;
    if (std::scanf("%d %d %d %d", &rows, &cols, &no_x, &no_y) != 4) return 1;
    std::vector<int> cells(static_cast<std::size_t>(cols + rows * cols));
    while (std::scanf("%d %d", &last_x, &last_y) == 2) {
        for (int& cell : cells)
            if (std::scanf("%d", &cell) != 1) return 1;
        misbehave(mode);
        const Move move = choose_badly(mode, rows, cols, cells.data(), cells.data() + cols, no_x, no_y);
        const std::string text = std::to_string(move.x) + " " + std::to_string(move.y);
        if (mode == "words") {
            answer("the middle", 10);
        } else if (mode == "half") {
            answer(text, 1);
            sleep(60);
        } else if (mode == "half-exit") {
            answer(text, 1);
            return 0;
        } else if (mode == "absurd") {
            std::fwrite("\x7f\xff\xff\xff", 1, 4, stdout);
            std::fflush(stdout);
            sleep(60);
        } else {
            answer(text, text.size());
        }
    }
}

#else

struct Point {
    int x, y;
};

static std::string mode_of_this_file() {
    Dl_info info;
    dladdr(reinterpret_cast<void*>(&mode_of_this_file), &info);
    const std::string path = info.dli_fname;
    const std::size_t name = path.rfind('/') + 1;
    return path.substr(name, path.rfind('.') - name);
}

extern "C" Point* getPoint(int rows, int cols, const int* top, const int* board, int, int, int no_x, int no_y) {
    const std::string mode = mode_of_this_file();
    misbehave(mode);
    const Move move = choose_badly(mode, rows, cols, top, board, no_x, no_y);
    if (mode == "scribbles") {
        for (int i = 0; i < cols; ++i) const_cast<int*>(top)[i] = -7;
        for (int i = 0; i < rows * cols; ++i) const_cast<int*>(board)[i] = 2;
    }
    if (mode == "null") return nullptr;
    if (mode == "wild") return reinterpret_cast<Point*>(16);
    return new Point{move.x, move.y};
}

extern "C" void clearPoint(Point* point) {
    if (mode_of_this_file() == "clears-badly") std::abort();
    delete point;
}

#endif
