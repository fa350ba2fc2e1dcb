/* What no client can beat: bytes that are ready, written and read with the fewest calls of the system; replies are counted by
   their bytes, not parsed. */
#include "programs.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PIECE (256 * 1024)
#define SMALL 10000
#define CALLERS 1000

static int connected(const char *where) {
  struct sockaddr_un local = {.sun_family = AF_UNIX};
  struct sockaddr_in remote = {.sin_family = AF_INET, .sin_port = htons(atoi(where))};
  int unix_path = where[0] == '/', one = 1;
  int s = socket(unix_path ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
  inet_pton(AF_INET, "127.0.0.1", &remote.sin_addr);
  strncpy(local.sun_path, where, sizeof local.sun_path - 1);
  struct sockaddr *address = unix_path ? (struct sockaddr *)&local : (struct sockaddr *)&remote;
  if (connect(s, address, unix_path ? sizeof local : sizeof remote)) fail("cannot connect");
  if (!unix_path) setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return s;
}

static char room[PIECE];

/* Reads what is there, or waits for a byte. */
static long receive(int s, int flags) {
  long got = recv(s, room, sizeof room, flags);
  if (!got) fail("the server closed the connection");
  return got < 0 ? 0 : got;
}

/* Writes `out` and reads `due` bytes, reading while it writes. */
static void exchange(int s, const char *out, long length, long due) {
  long sent = 0, got = 0;
  while (sent < length) {
    long left = length - sent, done = send(s, out + sent, left < PIECE ? left : PIECE, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (done > 0) {
      sent += done;
    } else {
      struct pollfd waits = {s, POLLIN | POLLOUT, 0};
      poll(&waits, 1, -1);
    }
    if (sent < length || length > PIECE) got += receive(s, MSG_DONTWAIT);
  }
  while (got < due) got += receive(s, 0);
  if (got != due) fail("a reply is not the server's");
}

static char *repeated(const char *text, long count) {
  long length = strlen(text);
  char *made = malloc(length * count + 1);
  for (long i = 0; i < count; i++) memcpy(made + i * length, text, length);
  return made;
}

static void pipeline(int s, const char *blob, long count) { exchange(s, blob, 34 * count, 5 * count); }

int main(int argc, char **argv) {
  if (argc != 4) fail("usage: raw WORKLOAD PORT-OR-PATH COUNT");
  const char *workload = argv[1], *command = "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n";
  long count = atol(argv[3]), due = 9, at_once = 1;
  char text[100];
  int s = connected(argv[2]), whole = !strcmp(workload, "pipeline-1M");
  if (starts(workload, "unix-")) workload += 5;
  if (whole || starts(workload, "pipelines")) {
    const char *blob = repeated("*3\r\n$3\r\nSET\r\n$6\r\nnewkey\r\n$3\r\nabc\r\n", whole ? count : SMALL);
    struct measured m = begin();
    if (whole)
      pipeline(s, blob, count);
    else
      for (long left = count; left > 0; left -= SMALL) pipeline(s, blob, left < SMALL ? left : SMALL);
    end(m);
    return 0;
  }
  if (starts(workload, "callers")) {
    at_once = CALLERS;
    command = repeated(command, CALLERS);
    due *= CALLERS;
  } else if (!strcmp(workload, "set")) {
    command = "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$3\r\nabc\r\n";
    due = 5;
  } else if (starts(workload, "lrange-")) {
    long items = atol(workload + 7);
    snprintf(text, sizeof text, "*4\r\n$6\r\nLRANGE\r\n$8\r\nlist-%ld\r\n$1\r\n0\r\n$2\r\n-1\r\n", items);
    command = text;
    due = 6 + 9 * items;
  }
  long length = strlen(command);
  struct measured m = begin();
  for (long i = 0; i < count; i += at_once) exchange(s, command, length, due);
  end(m);
  return 0;
}
