// A faulty agent: a strategy library or, if PROGRAM is defined, a platform program.
//
// The file name of the library (`segfault.so`) or the first argument of the program selects the fault. SECRET is a file
// that it must not read, TARGET one that it must not write, PORT one that it must not reach. It misbehaves at its first
// move. If it survives that, it reports the result on stderr and continues to play.
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

static volatile int counter = 0;

static void loop_forever() {
    for (;;) ++counter;
}

static void report(const char* what, bool succeeded) {
    std::fprintf(stderr, "%s %s\n", what, succeeded ? "SUCCEEDED" : std::strerror(errno));
}

static void fail(const std::string& mode) {
    if (mode == "segfault") *static_cast<volatile int*>(nullptr) = 1;
    if (mode == "abort") std::abort();
    if (mode == "throw") throw std::runtime_error("thrown on purpose");
    if (mode == "exit-0") std::exit(0);
    if (mode == "exit-3") _exit(3);
    if (mode == "loop") loop_forever();
    if (mode == "sleep") sleep(60);
    if (mode == "close-descriptors") {
        for (int descriptor = 0; descriptor < 256; ++descriptor) close(descriptor);
        sleep(60);
    }
    if (mode == "ignore-signals") {
        for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
        loop_forever();
    }
}

static void allocate_memory() {
    std::vector<char*> blocks;
    for (;;) {
        blocks.push_back(new char[16 << 20]);
        std::memset(blocks.back(), 1, 16 << 20);
    }
}

static void start_children(int count, int seconds) {
    int forks = 0;
    for (int i = 0; i < count; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            setsid();
            if (fork() == 0) sleep(static_cast<unsigned>(seconds));
            sleep(static_cast<unsigned>(seconds));
            _exit(0);
        }
        forks += child > 0;
    }
    std::fprintf(stderr, "forks %d\n", forks);
}

static void access_outside(const std::string& mode) {
    if (mode == "read-file") {
        char text[64] = {};
        const int file = open(SECRET, O_RDONLY);
        report("reading", file >= 0);
        if (file >= 0 && read(file, text, sizeof text - 1) > 0) std::fprintf(stderr, "content %s\n", text);
    }
    if (mode == "write-file") {
        const int file = open(TARGET, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        report("writing", file >= 0);
        if (file >= 0 && write(file, "x", 1) == 1) close(file);
        report("removing", unlink(SECRET) == 0);
    }
    if (mode == "connect") {
        const int connection = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(PORT);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const bool reached =
            connection >= 0 && connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
        report("connecting", reached);
    }
}

static void misbehave(const std::string& mode) {
    static bool done = false;
    if (done) return;
    done = true;
    std::fprintf(stderr, "mode %s\n", mode.c_str());
    fail(mode);
    access_outside(mode);
    if (mode == "allocate") allocate_memory();
    if (mode == "fork-bomb") start_children(500, 60);
    if (mode == "leave-children") start_children(2, 60);
    if (mode == "print-to-stdout") std::printf("hello, judge!\n"), std::fflush(stdout);
}

static Move choose_faulty_move(const std::string& mode, int rows, int cols, const int* top, const int* board, int no_x,
                               int no_y) {
    if (mode == "column-off-board") return {rows - 1, cols};
    if (mode == "play-hole") return {no_x, no_y};
    const Move move = choose_move(rows, cols, top, board);
    if (mode == "wrong-row") return {move.x - 1, move.y};
    return move;
}

#ifdef PROGRAM

static void send_answer(const std::string& text, std::size_t sent_bytes) {
    const auto length = static_cast<unsigned>(text.size());
    for (int shift : {24, 16, 8, 0}) std::putchar(static_cast<int>(length >> shift & 255));
    std::fwrite(text.data(), 1, sent_bytes, stdout);
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
        const Move move = choose_faulty_move(mode, rows, cols, cells.data(), cells.data() + cols, no_x, no_y);
        const std::string text = std::to_string(move.x) + " " + std::to_string(move.y);
        if (mode == "text-answer") {
            send_answer("the middle", 10);
        } else if (mode == "partial-answer") {
            send_answer(text, 1);
            sleep(60);
        } else if (mode == "partial-answer-and-exit") {
            send_answer(text, 1);
            return 0;
        } else if (mode == "huge-length") {
            std::fwrite("\x7f\xff\xff\xff", 1, 4, stdout);
            std::fflush(stdout);
            sleep(60);
        } else {
            send_answer(text, text.size());
        }
    }
}

#else

struct Point {
    int x, y;
};

static std::string get_mode_of_this_file() {
    Dl_info info;
    dladdr(reinterpret_cast<void*>(&get_mode_of_this_file), &info);
    const std::string path = info.dli_fname;
    const std::size_t name = path.rfind('/') + 1;
    return path.substr(name, path.rfind('.') - name);
}

extern "C" Point* getPoint(int rows, int cols, const int* top, const int* board, int, int, int no_x, int no_y) {
    const std::string mode = get_mode_of_this_file();
    misbehave(mode);
    const Move move = choose_faulty_move(mode, rows, cols, top, board, no_x, no_y);
    if (mode == "overwrite-arrays") {
        for (int i = 0; i < cols; ++i) const_cast<int*>(top)[i] = -7;
        for (int i = 0; i < rows * cols; ++i) const_cast<int*>(board)[i] = 2;
    }
    if (mode == "return-null") return nullptr;
    if (mode == "return-invalid-pointer") return reinterpret_cast<Point*>(16);
    return new Point{move.x, move.y};
}

extern "C" void clearPoint(Point* point) {
    if (get_mode_of_this_file() == "abort-in-clear-point") std::abort();
    delete point;
}

#endif
