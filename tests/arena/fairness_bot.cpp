// A program of the online platform that always plays one column.
//
// Arguments: COLUMN COMPUTE_MS SLEEP_MS SPINNERS. For each move it uses COMPUTE_MS of processor time and sleeps for
// SLEEP_MS. All the time, SPINNERS processes compute; where it may not fork, threads.
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

volatile unsigned long counter = 0;

[[noreturn]] void spin() {
    for (;;) counter = counter + 1;
}

long read_cpu_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1000 * now.tv_sec + now.tv_nsec / 1000000;
}

}  // namespace

int main(int, char** words) {
    const int column = std::atoi(words[1]);
    const int compute_ms = std::atoi(words[2]);
    const int sleep_ms = std::atoi(words[3]);
    for (int spinner = 0; spinner < std::atoi(words[4]); ++spinner) {
        const pid_t child = fork();
        if (child == 0) spin();
        if (child < 0) std::thread(spin).detach();
    }
    std::string line;
    std::getline(std::cin, line);
    std::istringstream size(line);
    int rows = 0, cols = 0;
    size >> rows >> cols;
    while (std::getline(std::cin, line)) {
        std::istringstream turn(line);
        std::vector<int> numbers;
        for (int number = 0; turn >> number;) numbers.push_back(number);
        for (const long end = read_cpu_ms() + compute_ms; read_cpu_ms() < end;) counter = counter + 1;
        usleep(1000 * static_cast<unsigned>(sleep_ms));
        const std::string answer = std::to_string(numbers[2 + static_cast<std::size_t>(column)] - 1) + " " + words[1];
        const char length[4] = {0, 0, 0, static_cast<char>(answer.size())};
        fwrite(length, 1, 4, stdout);
        fwrite(answer.data(), 1, answer.size(), stdout);
        fflush(stdout);
    }
}
