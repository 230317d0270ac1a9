/* dwarf2.h - declarations that GCC's dwarf2out.h, which has struct array_descr_info, takes from a
 * header that GCC does not install.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_DWARF2_H
#define CABPROF_DWARF2_H

enum dwarf_location_atom : unsigned;
#if BUILDING_GCC_MAJOR < 15   /* later ones declare it in coretypes.h */
enum dwarf_call_frame_info : unsigned;
#endif
enum dwarf_tag : unsigned;
enum dwarf_attribute : unsigned;

#endif
