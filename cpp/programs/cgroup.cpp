// Creates the control groups of an agent and reads and writes their files.
#include "programs/cgroup.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>

#include "programs/cgroup_folders.hpp"

namespace fourfall::sandbox {
namespace {

constexpr int kClone3 = 435;
constexpr std::uint64_t kCloneIntoCgroup = 1ULL << 33;

// The limit of the group is this much higher than that of the agent: the kernel's own structures and small caches count
// too, and an allocation of the agent should fail before the kernel has to kill it.
constexpr std::uint64_t kMarginMb = 16;

// The arguments of clone3 up to `cgroup`.
struct CloneArguments {
    std::uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size,
        cgroup;
};

int open_file(const std::string& folder, const char* name, int flags) {
    return open((folder + "/" + name).c_str(), flags | O_CLOEXEC);
}

// The beginning of an open file, read again.
std::string reread(int descriptor) {
    std::array<char, 1024> text{};
    const ssize_t count = descriptor < 0 ? -1 : pread(descriptor, text.data(), text.size(), 0);
    return {text.data(), static_cast<std::size_t>(count > 0 ? count : 0)};
}

// The number after a word in lines such as "oom_kill 3"; -1 if the word is missing.
std::int64_t find_number(const std::string& text, std::string_view word) {
    std::istringstream words(text);
    for (std::string name; words >> name;) {
        std::int64_t number = 0;
        if (name == word && words >> number) return number;
    }
    return -1;
}

// Creates a group of version 1 below the own one. Empty if that is not allowed.
std::string create_in_own_group(std::string_view controller) {
    const std::vector<std::string> folders = find_group_folders(controller);
    return folders.empty() ? std::string() : create_group(folders.front());
}

bool write_text(int descriptor, std::string_view text) {
    return write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

void AgentGroups::create(CgroupVersions versions, std::uint64_t memory_mb) {
    if (versions.v2 && !(memory_mb > 0 && create_v2(true, memory_mb))) create_v2(false, 0);
    if (versions.v1) create_v1(memory_mb);
}

bool AgentGroups::create_v2(bool with_memory, std::uint64_t memory_mb) {
    for (const std::string& parent : find_group_folders("")) {
        if (with_memory) {
            std::istringstream controllers(read_group_file(parent + "/cgroup.subtree_control"));
            bool has_memory = false;
            for (std::string name; controllers >> name;) has_memory |= name == "memory";
            if (!has_memory) continue;
        }
        const std::string folder = create_group(parent);
        if (folder.empty()) continue;
        freeze_fd_ = open_file(folder, "cgroup.freeze", O_WRONLY);  // since Linux 5.2
        events_fd_ = open_file(folder, "cgroup.events", O_RDONLY);
        v2_folder_fd_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (freeze_fd_ < 0 || events_fd_ < 0 || v2_folder_fd_ < 0) {
            remove_group(folder);
            return false;
        }
        cpu_fd_ = open_file(folder, "cpu.stat", O_RDONLY);
        v2_folder_ = folder;
        freezer_version_ = 2;
        if (with_memory) limit_memory(folder, 2, memory_mb);
        return true;
    }
    return false;
}

void AgentGroups::create_v1(std::uint64_t memory_mb) {
    if (freezer_version_ == 0) v1_freezer_folder_ = create_in_own_group("freezer");
    if (!v1_freezer_folder_.empty()) {
        freeze_fd_ = open_file(v1_freezer_folder_, "freezer.state", O_RDWR);
        v1_freezer_procs_fd_ = open_file(v1_freezer_folder_, "cgroup.procs", O_RDWR);
        if (freeze_fd_ >= 0 && v1_freezer_procs_fd_ >= 0) freezer_version_ = 1;
    }
    if (memory_version_ == 0 && memory_mb > 0) v1_memory_folder_ = create_in_own_group("memory");
    if (!v1_memory_folder_.empty()) {
        v1_memory_procs_fd_ = open_file(v1_memory_folder_, "cgroup.procs", O_RDWR);
        if (v1_memory_procs_fd_ >= 0) limit_memory(v1_memory_folder_, 1, memory_mb);
    }
}

void AgentGroups::limit_memory(const std::string& folder, int version, std::uint64_t memory_mb) {
    const std::string bytes = std::to_string((memory_mb + kMarginMb) << 20);
    const bool is_v2 = version == 2;
    if (!write_group_file(folder + (is_v2 ? "/memory.max" : "/memory.limit_in_bytes"), bytes)) return;
    // Machines without swap do not have these files.
    write_group_file(folder + (is_v2 ? "/memory.swap.max" : "/memory.memsw.limit_in_bytes"), is_v2 ? "0" : bytes);
    if (is_v2) write_group_file(folder + "/memory.oom.group", "1");
    memory_events_fd_ = open_file(folder, is_v2 ? "memory.events" : "memory.oom_control", O_RDONLY);
    memory_peak_fd_ = open_file(folder, is_v2 ? "memory.peak" : "memory.max_usage_in_bytes", O_RDONLY);
    if (memory_events_fd_ >= 0) memory_version_ = version;
}

pid_t AgentGroups::fork_child() {
    if (v2_folder_fd_ >= 0) {
        // Moving a process later would wait for all processors, several milliseconds.
        CloneArguments arguments{};
        arguments.flags = kCloneIntoCgroup;
        arguments.exit_signal = SIGCHLD;
        arguments.cgroup = static_cast<std::uint64_t>(v2_folder_fd_);
        const auto child = static_cast<pid_t>(syscall(kClone3, &arguments, sizeof arguments));
        if (child >= 0) return child;
        if (freezer_version_ == 2) freezer_version_ = 0;
        if (memory_version_ == 2) memory_version_ = 0;
    }
    return fork();
}

void AgentGroups::add_child(pid_t child) {
    const std::string number = std::to_string(child);
    if (freezer_version_ == 1 && !write_text(v1_freezer_procs_fd_, number)) freezer_version_ = 0;
    if (memory_version_ == 1 && !write_text(v1_memory_procs_fd_, number)) memory_version_ = 0;
}

void AgentGroups::request_freeze() const { write_text(freeze_fd_, freezer_version_ == 2 ? "1" : "FROZEN"); }

bool AgentGroups::is_frozen() const {
    if (freezer_version_ == 2) return find_number(reread(events_fd_), "frozen") == 1;
    return reread(freeze_fd_).starts_with("FROZEN");
}

void AgentGroups::thaw() const { write_text(freeze_fd_, freezer_version_ == 2 ? "0" : kThawed); }

std::vector<pid_t> AgentGroups::list_processes() const {
    std::istringstream text(
        read_group_file((freezer_version_ == 2 ? v2_folder_ : v1_freezer_folder_) + "/cgroup.procs"));
    std::vector<pid_t> processes;
    for (pid_t process = 0; text >> process;) processes.push_back(process);
    return processes;
}

std::int64_t AgentGroups::cpu_time_ns() const {
    const std::int64_t us = freezer_version_ == 2 ? find_number(reread(cpu_fd_), "usage_usec") : -1;
    return us < 0 ? -1 : 1000 * us;
}

bool AgentGroups::has_exceeded_memory() const {
    return memory_version_ > 0 && find_number(reread(memory_events_fd_), "oom_kill") > 0;
}

std::uint64_t AgentGroups::peak_memory_kib() const {
    const std::string text = memory_version_ > 0 ? reread(memory_peak_fd_) : "";
    return std::strtoull(text.c_str(), nullptr, 10) / 1024;
}

void AgentGroups::remove() {
    for (std::string* folder : {&v2_folder_, &v1_freezer_folder_, &v1_memory_folder_}) {
        if (!folder->empty()) remove_group(*folder);
        folder->clear();
    }
}

}  // namespace fourfall::sandbox
