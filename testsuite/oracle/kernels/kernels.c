/* kernels.c - loops, each kernel's on one line, as GCC's own messages name a loop by the line of
   whatever stands first in it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <math.h>
#define N 1024
typedef double matrix[N][N];
void add (double *a, double *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i]; }
void roots (double *restrict a, double *restrict b, int n) { for (int i = 0; i < n; i++) a[i] = sqrt (b[i]) * 2; }
double sum (double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int total (int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int either (int *a, int n, int f) { int s = 0; for (int i = 0; i < n; i++) { if (f) s += a[i]; else s ^= a[i]; } return s; }
void halves (int *a, int n) { for (int i = 0; i < n; i++) if (i < n / 2) a[i]++; else a[i] *= 3; }
void four (int *a) { for (int i = 0; i < 4; i++) a[i] = a[i] * a[i] + i; }
int hundred (int *a) { int s = 0; for (int i = 0; i < 100; i++) s = s * 3 + a[i]; return s; }
void clear (char *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }
void copy (char *a, char *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }
void two_loops (int *a, int *b, int n) { for (int i = 0; i < n; i++) { a[i] = 0; b[i] = a[i] + b[i] * 2; } }
int length (const char *s) { int n = 0; while (s[n]) n++; return n; }
struct link { struct link *next; int value; };
int list (struct link *p) { int s = 0; for (; p; p = p->next) s += p->value; return s; }
void product (matrix a, matrix b, matrix c, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) a[i][j] += b[i][k] * c[k][j]; }
void scatter (int *a, int *idx, int n) { for (int i = 0; i < n; i++) a[idx[i]]++; }
void recurrence (float *a, float *b, int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1] * 0.5f + b[i]; }
void narrow (short *a, int *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i] >> 3; }
unsigned crc (const unsigned char *p, int n) { unsigned c = ~0u; for (int i = 0; i < n; i++) { c ^= p[i]; for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; } return c; }
int most (int *a, int n) { int m = a[0]; for (int i = 1; i < n; i++) m = a[i] > m ? a[i] : m; return m; }
void sines (double *a, int n) { for (int i = 0; i < n; i++) a[i] = sin (a[i]); }
void strided (double *a, int n, int m) { for (int i = 0; i < n; i += m) a[i] *= 2; }
int closed_form (int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
void backwards (int *a, int n) { for (int i = n; i-- > 0;) a[i] = a[i] ^ 5; }
void triples (double (*a)[3], int n) { for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) a[i][k] *= 2; }
int find (int *a, int n) { for (int i = 0; i < n; i++) if (a[i] == 3) return i; return -1; }
void other (int);
void calls (int n) { for (int i = 0; i < n; i++) other (i); }
void choose (int *a, int *b, int *c, int n) { for (int i = 0; i < n; i++) a[i] = b[i] > 3 ? c[i] : a[i]; }
void at_least_once (int *a, int n) { int i = 0; do a[i] += 7; while (++i < n); }
long gcd (long a, long b) { while (b) { long t = a % b; a = b; b = t; } return a; }
void columns (double a[N][N], int n) { for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) a[i][j] *= 2; }
