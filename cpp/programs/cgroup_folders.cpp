// Reads /proc/self/mountinfo and /proc/self/cgroup, and names groups after the process that owns them.
#include "programs/cgroup_folders.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace fourfall::sandbox {
namespace {

constexpr std::string_view kPrefix = "fourfall-";
constexpr int kMaxRemoveRounds = 5000;
constexpr int kKillInterval = 10;
constexpr useconds_t kRemovePauseUs = 200;

// Whether a list such as "cpu,memory" contains a word.
bool contains_word(std::string_view list, std::string_view word, char separator) {
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(separator, begin), list.size());
        if (list.substr(begin, end - begin) == word) return true;
        begin = end + 1;
    }
    return false;
}

struct Mount {
    std::string root;    // the group that is visible as `folder`
    std::string folder;  // empty: not mounted
};

Mount find_mount(std::string_view controller) {
    std::ifstream file("/proc/self/mountinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t dash = line.find(" - ");
        if (dash == std::string::npos) continue;
        std::istringstream before(line.substr(0, dash));
        std::istringstream after(line.substr(dash + 3));
        std::string skipped, type, source, options;
        Mount mount;
        before >> skipped >> skipped >> skipped >> mount.root >> mount.folder;
        after >> type >> source >> options;
        if (controller.empty() ? type == "cgroup2" : type == "cgroup" && contains_word(options, controller, ',')) {
            return mount;
        }
    }
    return {};
}

// The path of this process's group in the hierarchy.
std::string find_own_path(std::string_view controller) {
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
        if (controller.empty() ? controllers.empty() : contains_word(controllers, controller, ',')) {
            return line.substr(second + 1);
        }
    }
    return {};
}

// The time at which a process started, in ticks since the system started; empty if it has ended.
std::string read_start_time(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) return {};
    std::istringstream fields(text.substr(name_end + 1));
    std::string state, field;
    fields >> state;
    for (int number = 4; number <= 22; ++number) fields >> field;
    return state == "Z" || state == "X" ? std::string() : field;
}

// Process ids have a meaning only in their PID namespace, so the name begins with its number.
std::string make_namespace_prefix() {
    struct stat about{};
    stat("/proc/self/ns/pid", &about);
    return std::string(kPrefix) + std::to_string(about.st_ino) + "-";
}

void kill_group(const std::string& folder) {
    if (!write_group_file(folder + "/cgroup.kill", "1")) {  // since Linux 5.14
        std::istringstream processes(read_group_file(folder + "/cgroup.procs"));
        for (pid_t process = 0; processes >> process;) kill(process, SIGKILL);
    }
    write_group_file(folder + "/freezer.state", "THAWED");
}

// Removes the groups of hosts that were killed.
void remove_abandoned_groups(const std::string& parent, const std::string& prefix) {
    DIR* folder = opendir(parent.c_str());
    while (const dirent* entry = folder == nullptr ? nullptr : readdir(folder)) {
        const std::string name = entry->d_name;
        if (!name.starts_with(prefix)) continue;
        char* rest = nullptr;
        const auto owner = static_cast<pid_t>(std::strtol(name.c_str() + prefix.size(), &rest, 10));
        if (owner <= 0 || *rest != '-' || read_start_time(owner) == rest + 1) continue;
        remove_group(std::string(parent).append("/").append(name));
    }
    if (folder != nullptr) closedir(folder);
}

}  // namespace

std::vector<std::string> find_group_folders(std::string_view controller) {
    const auto [root, folder] = find_mount(controller);
    std::string path = find_own_path(controller);
    if (folder.empty() || path.empty() || path.find("/..") != std::string::npos) return {};
    if (root != "/") {
        if (!path.starts_with(root)) path = root;
        path = path.substr(root.size());
    }
    std::vector<std::string> folders;
    while (path.size() > 1) {
        folders.push_back(folder + path);
        path = path.substr(0, path.rfind('/'));
    }
    folders.push_back(folder);
    return folders;
}

std::string create_group(const std::string& parent) {
    if (access(parent.c_str(), W_OK) != 0) return {};
    const std::string prefix = make_namespace_prefix();
    remove_abandoned_groups(parent, prefix);
    const std::string folder = parent + "/" + prefix + std::to_string(getpid()) + "-" + read_start_time(getpid());
    return mkdir(folder.c_str(), 0700) == 0 ? folder : std::string();
}

void remove_group(const std::string& folder) {
    for (int round = 0; round < kMaxRemoveRounds; ++round) {
        if (rmdir(folder.c_str()) == 0 || errno == ENOENT) return;
        // Usually the processes have ended already, and the kernel needs a moment to notice it.
        if (round % kKillInterval == kKillInterval - 1) kill_group(folder);
        usleep(kRemovePauseUs);
    }
}

std::string read_group_file(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool write_group_file(const std::string& path, std::string_view text) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(file);
    return written;
}

}  // namespace fourfall::sandbox
