/* What libjitc-cudaemu.so offers beside the CUDA driver's functions: the driver library that executes PTX on the CPU.
   Plain C, for any program that uses the library as its driver; docs/cuda.md says how. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One number about what kernels did, or about what exists. The texts are valid for good. */
typedef struct JitcEmulatorCounter {
  const char* name;    /* "global.load.sectors", "streams" */
  const char* meaning; /* what it counts, a phrase */
  uint64_t value;
} JitcEmulatorCounter;

/* Grows at its end only. All functions may be called from any thread. */
typedef struct JitcEmulatorControl {
  uint32_t size_bytes; /* of this structure, as the library knows it */
  /* The sentence about the last fault or refusal, empty before the first: writes as much as fits, with a zero behind
     it; returns its whole length. */
  size_t (*last_report)(char* out, size_t size_bytes);
  /* Counts launches that begin from now on, or no longer (0). It takes time, and is off at first unless the environment
     has JITC_EMU_COUNTS=1. */
  void (*set_counting)(int on);
  /* Sums over all counted launches that have ended: writes the first `capacity` counters, returns how many there are.
   */
  size_t (*counters)(JitcEmulatorCounter* out, size_t capacity);
  void (*reset_counters)(void);
  /* What the program has of the driver now, by kinds of objects: all zero when it let go of everything. Writes and
     returns as `counters` does. */
  size_t (*objects)(JitcEmulatorCounter* out, size_t capacity);
  /* From now on these rows, written as in JITC_EMU_FAIL, say which calls fail instead of those before; null for none.
     Calls are counted from zero again. Returns 1, or 0 where the rows cannot be read: then nothing changes. */
  int (*set_fails)(const char* rows);
  /* How often a function of the driver was called since then, by its name or its symbol; 0 for what is none. */
  uint64_t (*calls)(const char* function);
} JitcEmulatorControl;

/* The library's one function that is none of the driver's. The answer is valid for good. */
const JitcEmulatorControl* jitc_emulator_control(void);

#ifdef __cplusplus
}
#endif
