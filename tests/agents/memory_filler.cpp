// A program that takes memory which the limits of a process do not count, writes "done" and waits.
//
// The argument selects the kind: sockets that are full, or files in the scratch folder.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace {

char chunk[32768];

void fill(int descriptor) {
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    while (write(descriptor, chunk, sizeof chunk) > 0) {
    }
}

}  // namespace

int main(int, char** words) {
    const std::string kind = words[1];
    int ends[2];
    if (kind == "sockets") {
        while (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
            fill(ends[0]);
            fill(ends[1]);
        }
    }
    if (kind == "files") {
        for (int number = 0; number < 14; ++number) {
            const std::string path = std::string(getenv("TMPDIR")) + "/" + std::to_string(number);
            const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0600);
            for (int part = 0; part < 128; ++part) {
                if (write(file, chunk, sizeof chunk) < 0) return 1;
            }
        }
    }
    if (write(1, "done\n", 5) != 5) return 1;
    pause();
}
