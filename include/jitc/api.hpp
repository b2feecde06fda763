// Which symbols libjitc exports: those marked JITC_API, and nothing of the libraries inside it.
#pragma once

#if defined(__GNUC__)
#define JITC_API __attribute__((visibility("default")))
#else
#define JITC_API
#endif
