#pragma once

// What C's own headers declare stays Glibc's, also in a build of the whole module: see CLinux/shim.h.
#pragma clang module import SwiftGlibc

#include <yaml.h>
