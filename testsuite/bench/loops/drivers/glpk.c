/* glpk.c - a problem of transport and one of knapsacks by the GNU Linear Programming Kit.
   SPDX-License-Identifier: GPL-3.0-or-later
 * Its own command tells the time it took, and so has another output on each run.
 */
#include <stdio.h>
#include <stdlib.h>
#include "glpk.h"

static unsigned
next_random (unsigned below)
{
  static unsigned state = 2024;
  state = state * 1664525u + 1013904223u;
  return (state >> 10) % below;
}

/* From SOURCES of a supply to SINKS of a demand, with least cost.  */
static double
transport (int sources, int sinks)
{
  glp_prob *problem = glp_create_prob ();
  glp_smcp simplex;
  int rows[3];
  double ones[3] = { 0, 1, 1 };
  glp_add_rows (problem, sources + sinks);
  glp_add_cols (problem, sources * sinks);
  for (int i = 1; i <= sources; i++)
    glp_set_row_bnds (problem, i, GLP_UP, 0, 10.0 * sinks + next_random (20));
  for (int j = 1; j <= sinks; j++)
    glp_set_row_bnds (problem, sources + j, GLP_LO, 5.0 * sources + next_random (20), 0);
  for (int i = 0; i < sources; i++)
    for (int j = 0; j < sinks; j++)
      {
	int column = i * sinks + j + 1;
	rows[1] = i + 1;
	rows[2] = sources + j + 1;
	glp_set_col_bnds (problem, column, GLP_DB, 0, 30 + next_random (10));
	glp_set_obj_coef (problem, column, 1 + next_random (100));
	glp_set_mat_col (problem, column, 2, rows, ones);
      }
  glp_init_smcp (&simplex);
  glp_simplex (problem, &simplex);
  double cost = glp_get_obj_val (problem);
  glp_delete_prob (problem);
  return cost;
}

/* N things, of which several sacks take those of most value.  */
static double
knapsacks (int things, int sacks)
{
  glp_prob *problem = glp_create_prob ();
  glp_iocp options;
  int *columns = calloc (things + 1, sizeof *columns);
  double *weights = calloc (things + 1, sizeof *weights);
  glp_set_obj_dir (problem, GLP_MAX);
  glp_add_cols (problem, things);
  glp_add_rows (problem, sacks);
  for (int j = 1; j <= things; j++)
    {
      columns[j] = j;
      glp_set_col_kind (problem, j, GLP_BV);
      glp_set_obj_coef (problem, j, 10 + next_random (40));
    }
  for (int i = 1; i <= sacks; i++)
    {
      double sum = 0;
      for (int j = 1; j <= things; j++)
	sum += weights[j] = 5 + next_random (45);
      glp_set_row_bnds (problem, i, GLP_UP, 0, (int) (sum / 2));
      glp_set_mat_row (problem, i, things, columns, weights);
    }
  glp_init_iocp (&options);
  options.presolve = GLP_ON;
  glp_intopt (problem, &options);
  double value = glp_mip_obj_val (problem);
  glp_delete_prob (problem);
  free (columns);
  free (weights);
  return value;
}

int
main (int argc, char **argv)
{
  int size = argc > 1 ? atoi (argv[1]) : 10;
  glp_term_out (GLP_OFF);
  printf ("transport %.6f\n", transport (size, size + size / 2));
  printf ("knapsacks %.6f\n", knapsacks (size, 5));
  glp_free_env ();
  return 0;
}
