// A header only: the functions are written in Swift (Sources/NetwatchC).
#include "netwatch.h"
