# analyses.mk - the analyses and the cabprof command.
# SPDX-License-Identifier: GPL-3.0-or-later

# What ends up in the runtime as well.
ANALYSES_RT_SRCS := $(wildcard analyses/an_*.c) analyses/states.c analyses/registry.c
