/* test_names_brief.c - names without what they take.
 * LINK: analyses/names_brief.c analyses/names.c */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include "analyses/names.h"

static const struct
{
  const char *name, *brief;
} cases[] = {
  { "grow(int)", "grow(int)" },
  { "list<long>::add(long)", "list<long>::add(long)" },
  { "std::vector<std::unique_ptr<Particle>, std::allocator<int> >::push_back(std::unique_ptr<Particle>&&)", "std::vector<>::push_back" },
  { "std::unique_ptr<Particle, std::default_delete<Particle> >::operator->() const", "std::unique_ptr<>::operator-> const" },
  { "std::basic_ostream<char>& std::operator<< <char>(std::basic_ostream<char>&, char const*)", "std::basic_ostream<>& std::operator<< <>" },
  { "bool std::operator< <int, std::allocator<int> >(std::vector<int> const&)", "bool std::operator< <>" },
  { "std::function<void (int, std::vector<long>)>::operator()(int, std::vector<long>) const", "std::function<>::operator() const" },
  { "(anonymous namespace)::reader::next(std::map<int, long>::const_iterator)", "(anonymous namespace)::reader::next" },
  { "decltype (((forward<A>)({parm#1})->size)()) call_of_members<A, B>(A&&, B&&)", "decltype  call_of_members<>" },
  { "a_function_of_c_with_a_name_that_is_long_indeed", "a_function_of_c_with_a_name_that_is_long_indeed" },
  { "what<is_not_closed::and_that_is_all_there_is_of_it", "what<is_not_closed::and_that_is_all_there_is_of_it" },
};

static void
test_brief (void)
{
  struct cab_names names;
  cab_names_init (&names);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_STRING_EQUAL (cab_names_brief (&names, cases[i].name), cases[i].brief);
  cab_names_fini (&names);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("brief names", NULL, NULL);
  CU_add_test (suite, "brief", test_brief);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
