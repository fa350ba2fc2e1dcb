/* The floors: messages without any protocol, to Java's FloorMain, which tells how they look. FLOOR WORKLOAD WHERE COUNT prints what
   COUNT operations took. WHERE is a port, the path of a unix socket, or for rings FILE:SPINS:PATH; Ring.java tells of these. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PING, TAKE, GIVE, BASE64, END };
enum { CAPACITY = 1 << 20, PIECE = 1 << 16, TO_JAVA = 0, FROM_JAVA = 1024, TAIL = 0, HEAD = 128, JAVA_SLEEPS = 2048, SLEEPS = 2048 + 128, DATA = 4096 };

static int s;
static char *ring;
static long spins;

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

static double now(clockid_t which) {
  struct timespec t;
  clock_gettime(which, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

static void connect_to(const char *where) {
  struct sockaddr_un local = {.sun_family = AF_UNIX};
  struct sockaddr_in remote = {.sin_family = AF_INET, .sin_port = htons(atoi(where))};
  int unix_path = where[0] == '/', one = 1;
  s = socket(unix_path ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
  inet_pton(AF_INET, "127.0.0.1", &remote.sin_addr);
  strncpy(local.sun_path, where, sizeof local.sun_path - 1);
  struct sockaddr *address = unix_path ? (struct sockaddr *)&local : (struct sockaddr *)&remote;
  if (connect(s, address, unix_path ? sizeof local : sizeof remote)) fail("cannot connect");
  if (!unix_path) setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static void map(const char *file) {
  int f = open(file, O_RDWR);
  ring = mmap(0, DATA + 2 * CAPACITY, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
  if (f < 0 || ring == MAP_FAILED) fail("cannot map the rings");
  close(f);
}

static _Atomic uint64_t *word(long at) { return (_Atomic uint64_t *)(ring + at); }

static void pause_briefly(void) {
#if defined __x86_64__
  __builtin_ia32_pause();
#endif
}

/* Waits until the word is another. */
static void await(long at, uint64_t old) {
  char stroke;
  for (long spun = 0; atomic_load_explicit(word(at), memory_order_acquire) == old; spun++) {
    if (spins < 0 || spun < spins) {
      pause_briefly();
      continue;
    }
    atomic_store(word(SLEEPS), 1);
    if (atomic_load(word(at)) == old && read(s, &stroke, 1) <= 0) fail("the JVM has ended");
    atomic_store_explicit(word(SLEEPS), 0, memory_order_release);
    spun = 0;
  }
}

static void wake(void) {
  if (spins < 0) return;
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(word(JAVA_SLEEPS), memory_order_relaxed)) {
    atomic_store_explicit(word(JAVA_SLEEPS), 0, memory_order_relaxed);
    if (write(s, "", 1) != 1) fail("the JVM has ended");
  }
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void put(const char *from, uint64_t length) {
  static uint64_t tail;
  for (uint64_t done = 0; done < length;) {
    await(TO_JAVA + HEAD, tail - CAPACITY);
    uint64_t at = tail % CAPACITY, room = CAPACITY - (tail - atomic_load_explicit(word(TO_JAVA + HEAD), memory_order_acquire));
    uint64_t piece = least(least(room, PIECE), least(length - done, CAPACITY - at));
    memcpy(ring + DATA + at, from + done, piece);
    done += piece;
    tail += piece;
    atomic_store_explicit(word(TO_JAVA + TAIL), tail, memory_order_release);
    wake();
  }
}

static void get(char *into, uint64_t length) {
  static uint64_t head;
  for (uint64_t had = 0; had < length;) {
    await(FROM_JAVA + TAIL, head);
    uint64_t at = head % CAPACITY, there = atomic_load_explicit(word(FROM_JAVA + TAIL), memory_order_acquire) - head;
    uint64_t piece = least(least(there, PIECE), least(length - had, CAPACITY - at));
    memcpy(into + had, ring + DATA + CAPACITY + at, piece);
    had += piece;
    head += piece;
    atomic_store_explicit(word(FROM_JAVA + HEAD), head, memory_order_release);
    if (length > CAPACITY / 2) wake();
  }
}

/* Header and bytes in one write. */
static void ask(uint64_t kind, const char *data, uint64_t length) {
  uint64_t header[2] = {kind, length};
  uint64_t whole = kind == TAKE || kind == BASE64 ? length : 0;
  if (ring) {
    put((char *)header, sizeof header);
    put(data, whole);
    return;
  }
  struct iovec parts[2] = {{header, sizeof header}, {(void *)data, whole}};
  while (parts[0].iov_len + parts[1].iov_len) {
    ssize_t sent = writev(s, parts, 2);
    if (sent < 0) fail("the JVM has ended");
    for (int i = 0; i < 2; i++) {
      size_t part = least(sent, parts[i].iov_len);
      parts[i].iov_base = (char *)parts[i].iov_base + part;
      parts[i].iov_len -= part;
      sent -= part;
    }
  }
}

static void answer(char *into, uint64_t length) {
  if (ring) {
    get(into, length);
    return;
  }
  for (uint64_t had = 0; had < length;) {
    ssize_t got = read(s, into + had, length - had);
    if (got <= 0) fail("the JVM has ended");
    had += got;
  }
}

static void encode(const unsigned char *data, uint64_t length, char *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  static char pairs[4096][2];
  if (!pairs[0][0])
    for (int i = 0; i < 4096; i++) pairs[i][0] = digits[i >> 6], pairs[i][1] = digits[i & 63];
  uint64_t i = 0;
  for (; i + 3 <= length; i += 3, out += 4) {
    uint32_t three = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
    memcpy(out, pairs[three >> 12], 2);
    memcpy(out + 2, pairs[three & 4095], 2);
  }
  if (i < length) {
    uint32_t three = data[i] << 16 | (i + 1 < length ? data[i + 1] << 8 : 0);
    memcpy(out, pairs[three >> 12], 2);
    out[2] = i + 1 < length ? digits[three >> 6 & 63] : '=';
    out[3] = '=';
  }
}

int main(int argc, char **argv) {
  if (argc != 4) fail("usage: floor ping|take-N|give-N|base64-N WHERE COUNT");
  char *name = argv[1], *where = argv[2], *size = strchr(name, '-'), *rest = strchr(where, ':');
  uint64_t kind = name[0] == 'p' ? PING : name[0] == 't' ? TAKE : name[0] == 'g' ? GIVE : BASE64;
  uint64_t length = size ? strtoull(size + 1, 0, 10) : 0, encoded = (length + 2) / 3 * 4;
  long count = atol(argv[3]);
  if (rest) {
    *rest = 0;
    spins = strtol(rest + 1, &rest, 10);
    map(where);
    where = rest + 1;
  }
  connect_to(where);
  /* The JVM has finished with whoever was before, and begun the rings anew. */
  if (ring && read(s, &(char){0}, 1) != 1) fail("the JVM has ended");
  char *data = malloc(length + 1), *text = malloc(kind == BASE64 ? encoded : 1), word[8];
  memset(data, 1, length + 1);
  double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
  for (long i = 0; i < count; i++) {
    if (kind == BASE64) encode((unsigned char *)data, length, text);
    ask(kind, kind == BASE64 ? text : data, kind == BASE64 ? encoded : length);
    if (kind == GIVE) {
      /* As a result of its own, which a caller keeps or frees. */
      char *result = malloc(length);
      answer(result, length);
      free(result);
    } else {
      answer(word, sizeof word);
      if (kind != PING && word[0] != 1) fail("the JVM has read something else");
    }
  }
  wall = now(CLOCK_MONOTONIC) - wall, cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  ask(END, data, 0);
  printf("{\"cpu\": %.0f, \"wall\": %.0f}\n", cpu, wall);
  return 0;
}
