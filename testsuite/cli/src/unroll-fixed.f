C     unroll-fixed.f - a loop in fixed form, to be given an unroll directive.
C     SPDX-License-Identifier: GPL-3.0-or-later
      SUBROUTINE D (N, A, X, Y)
      INTEGER N, I
      DOUBLE PRECISION A, X(*), Y(*)
C     THE LOOP
      DO 10 I = 1,
     &  N
        Y(I) = Y(I) + A * X(I)
   10 CONTINUE
      END
