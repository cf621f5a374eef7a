// Control groups (cgroups) of one third-party agent: they freeze its processes and limit their memory together.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fourfall::sandbox {

// Which versions of cgroups may be used. Tests leave some of them out.
struct CgroupVersions {
    bool v1 = true;
    bool v2 = true;
};

// The groups of one agent. Version 2 has one hierarchy for everything; version 1 has one for each resource. A version
// of 0 means that this user may not use it: in many containers, and in sessions without delegation.
//
// The host creates the groups and opens their files, because later all mounts are read-only. The leader puts the
// third-party process into them before any third-party code runs.
class AgentGroups {
public:
    AgentGroups() = default;
    AgentGroups(const AgentGroups&) = delete;
    AgentGroups& operator=(const AgentGroups&) = delete;

    // Creates the groups, with a memory limit (0: none), and removes groups that killed hosts have left behind.
    void create(CgroupVersions versions, std::uint64_t memory_mb);

    // Forks; the child is a member of the group of version 2. Called by the leader.
    pid_t fork_child();
    // Moves a child of the leader into the groups of version 1. A group that it cannot join is given up.
    void add_child(pid_t child);

    int freezer_version() const { return freezer_version_; }
    int memory_version() const { return memory_version_; }
    // Tells the host what the leader found out: after the fork both have a copy of this object.
    void set_versions(int freezer, int memory) { freezer_version_ = freezer, memory_version_ = memory; }

    void request_freeze() const;
    bool is_frozen() const;
    void thaw() const;
    // A frozen process of version 1 does not react to SIGKILL. A signal handler can write kThawed to this descriptor.
    int thaw_descriptor() const { return freezer_version_ == 1 ? freeze_fd_ : -1; }
    static constexpr char kThawed[] = "THAWED";

    // The processes of the frozen group, as the calling process numbers them.
    std::vector<pid_t> list_processes() const;
    // The processor time of all processes of the group, also of those that have ended, in ns; -1: not known.
    std::int64_t cpu_time_ns() const;

    // Whether the kernel has killed a process of the group because of its memory limit.
    bool has_exceeded_memory() const;
    // The highest memory use in KiB; 0: not known.
    std::uint64_t peak_memory_kib() const;

    // Kills what is left and removes the groups.
    void remove();

private:
    bool create_v2(bool with_memory, std::uint64_t memory_mb);
    void create_v1(std::uint64_t memory_mb);
    void limit_memory(const std::string& folder, int version, std::uint64_t memory_mb);

    int freezer_version_ = 0;
    int memory_version_ = 0;
    std::string v2_folder_;
    std::string v1_freezer_folder_;
    std::string v1_memory_folder_;
    int v2_folder_fd_ = -1;         // for clone3
    int v1_freezer_procs_fd_ = -1;  // cgroup.procs
    int v1_memory_procs_fd_ = -1;
    int freeze_fd_ = -1;         // cgroup.freeze or freezer.state
    int events_fd_ = -1;         // cgroup.events
    int cpu_fd_ = -1;            // cpu.stat
    int memory_events_fd_ = -1;  // memory.events or memory.oom_control
    int memory_peak_fd_ = -1;    // memory.peak or memory.max_usage_in_bytes
};

}  // namespace fourfall::sandbox
