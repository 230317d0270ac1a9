/* databases.c - for oracle/sharing: two threads, each with an SQLite database of its own in memory,
 * share only what is the library's.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <stdlib.h>
#include "sqlite3.h"

static pthread_barrier_t begin, done;

static void *
work (void *arg)
{
  sqlite3 *db;
  pthread_barrier_wait (&begin);
  if (sqlite3_open (":memory:", &db) != SQLITE_OK
      || sqlite3_exec (db, "create table t (a integer primary key, b text); insert into t (b) values ('one'), ('two'), ('three');"
		       "select b, count (*) from t where a > 1 group by b", NULL, NULL, NULL) != SQLITE_OK)
    abort ();
  sqlite3_close (db);
  pthread_barrier_wait (&done);
  return arg;
}

int
main (void)
{
  pthread_t t[2];
  pthread_barrier_init (&begin, NULL, 2);
  pthread_barrier_init (&done, NULL, 2);
  sqlite3_initialize ();
  for (int i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  return 0;
}
