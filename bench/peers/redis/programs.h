/* What the programs in C share: PROGRAM WORKLOAD PORT-OR-PATH COUNT prints what COUNT operations took, as one JSON object. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t which) {
  struct timespec t;
  clock_gettime(which, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

/* Bytes of /proc/self/status. */
static long resident(const char *which) {
  char line[256];
  long kib = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, which, strlen(which))) kib = atol(line + strlen(which) + 1);
  if (file) fclose(file);
  return kib * 1024;
}

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

struct measured {
  double cpu, wall;
  long before;
};

static struct measured begin(void) {
  struct measured m = {0, 0, resident("VmRSS")};
  m.cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  m.wall = now(CLOCK_MONOTONIC);
  return m;
}

static void end(struct measured m) {
  double wall = now(CLOCK_MONOTONIC) - m.wall, cpu = now(CLOCK_PROCESS_CPUTIME_ID) - m.cpu;
  long growth = resident("VmHWM") - m.before;
  printf("{\"cpu\": %.0f, \"wall\": %.0f, \"growth\": %ld}\n", cpu, wall, growth > 0 ? growth : 0);
}

static int starts(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }
