#pragma once

// What starting a program needs beside posix_spawn(3): Linux's own calls, and glibc's functions that are declared behind
// _GNU_SOURCE only.

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>

long syscall(long number, ...);

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

/// A descriptor that is ready to be read once a process has ended (pidfd_open(2)).
static inline int netwatch_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/// A file in memory that is closed in what is started, unless it is handed on (memfd_create(2): MFD_CLOEXEC,
/// MFD_ALLOW_SEALING).
static inline int netwatch_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1u | 2u);
}

/// Keeps a file in memory as it is: F_ADD_SEALS with F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE (fcntl(2)).
static inline int netwatch_seal(int descriptor) {
    return fcntl(descriptor, 1033, 1 | 2 | 4 | 8);
}
