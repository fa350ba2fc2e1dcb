/* hiredis, as its documentation shows it: redisCommand for a call; for pipelines redisAppendCommandArgv, which parses no format. */
#include "programs.h"
#include <hiredis/hiredis.h>

#define SMALL 10000

static void expect(int holds) {
  if (!holds) fail("a reply is not the server's");
}

static redisReply *reply(redisContext *c) {
  void *found = NULL;
  if (redisGetReply(c, &found) != REDIS_OK) fail(c->errstr);
  return found;
}

static void pipeline(redisContext *c, long count) {
  const char *words[] = {"SET", "newkey", "abc"};
  const size_t lengths[] = {3, 6, 3};
  for (long i = 0; i < count; i++) redisAppendCommandArgv(c, 3, words, lengths);
  for (long i = 0; i < count; i++) {
    redisReply *r = reply(c);
    expect(r->type == REDIS_REPLY_STATUS && !strcmp(r->str, "OK"));
    freeReplyObject(r);
  }
}

static void call(redisContext *c, const char *name) {
  redisReply *r;
  if (!strcmp(name, "get")) {
    r = redisCommand(c, "GET key");
    expect(r && r->type == REDIS_REPLY_STRING && !strcmp(r->str, "abc"));
  } else if (!strcmp(name, "set")) {
    r = redisCommand(c, "SET key abc");
    expect(r && r->type == REDIS_REPLY_STATUS && !strcmp(r->str, "OK"));
  } else {
    size_t items = atol(name + 7);
    r = redisCommand(c, "LRANGE list-%s 0 -1", name + 7);
    expect(r && r->type == REDIS_REPLY_ARRAY && r->elements == items && !strcmp(r->element[items - 1]->str, "xyz"));
  }
  freeReplyObject(r);
}

int main(int argc, char **argv) {
  if (argc != 4) fail("usage: hiredis WORKLOAD PORT-OR-PATH COUNT");
  const char *workload = argv[1];
  long count = atol(argv[3]);
  redisContext *c = argv[2][0] == '/' ? redisConnectUnix(argv[2]) : redisConnect("127.0.0.1", atoi(argv[2]));
  if (!c || c->err) fail(c ? c->errstr : "no memory");
  if (starts(workload, "unix-")) workload += 5;
  struct measured m = begin();
  if (!strcmp(workload, "pipeline-1M"))
    pipeline(c, count);
  else if (starts(workload, "pipelines"))
    for (long left = count; left > 0; left -= SMALL) pipeline(c, left < SMALL ? left : SMALL);
  else
    for (long i = 0; i < count; i++) call(c, workload);
  end(m);
  redisFree(c);
  return 0;
}
