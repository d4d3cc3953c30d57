#pragma once

// libxml2's push parser and its errors.

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

// libxml2's own headers bring in ICU's where Debian built it with ICU. Those clash with the ICU inside of Foundation, and
// nothing here uses what they add.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
