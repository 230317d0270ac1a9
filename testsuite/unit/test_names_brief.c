/* test_names_brief.c - names without parameters and template arguments.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <CUnit/Basic.h>
#include "analyses/base/names.h"

static const struct
{
  const char *name, *brief;
} cases[] = {
  { "grow(int)", "grow(int)" },
  { "list<long>::add(long)", "list<long>::add(long)" },
  { "std::vector<std::unique_ptr<Particle>, std::allocator<int> "
    ">::push_back(std::unique_ptr<Particle>&&)",
    "std::vector<>::push_back" },
  { "std::unique_ptr<Particle, std::default_delete<Particle> >::operator->() const",
    "std::unique_ptr<>::operator-> const" },
  { "std::basic_ostream<char>& std::operator<< <char>(std::basic_ostream<char>&, char const*)",
    "std::basic_ostream<>& std::operator<< <>" },
  { "bool std::operator< <int, std::allocator<int> >(std::vector<int> const&)",
    "bool std::operator< <>" },
  { "std::function<void (int, std::vector<long>)>::operator()(int, std::vector<long>) const",
    "std::function<>::operator() const" },
  { "(anonymous namespace)::reader::next(std::map<int, long>::const_iterator)",
    "(anonymous namespace)::reader::next" },
  { "decltype (((forward<A>)({parm#1})->size)()) call_of_members<A, B>(A&&, B&&)",
    "decltype  call_of_members<>" },
  { "a_function_of_c_with_a_name_that_is_long_indeed",
    "a_function_of_c_with_a_name_that_is_long_indeed" },
  { "what<is_not_closed::and_that_is_all_there_is_of_it",
    "what<is_not_closed::and_that_is_all_there_is_of_it" },
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

static void
test_next (void)
{
  static const struct
  {
    const char *name, *next;
  } names[] = {
    { "main", NULL },
    { "", NULL },
    { "std::vector<>::push_back", "vector<>::push_back" },
    { "vector<a::b, c::d>::push_back(e::f const&) const", "push_back(e::f const&) const" },
    { "push_back(e::f const&) const", NULL },
    { "void shop::sort<int>(int*)", "sort<int>(int*)" },
    { "operator<< <a::b>(a::b)", NULL },
    { "pointer::operator->() const", "operator->() const" },
    { "(anonymous namespace)::reader::next", "reader::next" },
    { "main::{lambda(a::b)#1}::operator()(a::b) const",
      "{lambda(a::b)#1}::operator()(a::b) const" },
    { "{lambda(a::b)#1}::operator()(a::b) const", "operator()(a::b) const" },
    { "open<a::b", NULL },
    { "closed>::b", "b" },
    { "a::", "" },
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      const char *next = cab_names_next (names[i].name);
      CU_ASSERT (!next == !names[i].next && (!next || !strcmp (next, names[i].next)));
    }
}

static const struct
{
  const char *glob, *name;
  bool good;
} matches[] = {
  { "main", "main", true },
  { "mai", "main", false },
  { "grow", "grow(int)", true },
  { "grow(int)", "grow(int)", true },
  { "gro?", "grow(int)", true },
  { "visit", "shop::Taxer::visit(shop::Node const&) const", true },
  { "Taxer::visit", "shop::Taxer::visit(shop::Node const&) const", true },
  { "shop::*::visit", "shop::Taxer::visit(shop::Node const&) const", true },
  { "axer::visit", "shop::Taxer::visit(shop::Node const&) const", false },
  { "Node", "shop::Taxer::visit(shop::Node const&) const", false },
  { "std::vector<>::push_back", "std::vector<int, std::allocator<int> >::push_back(int&&)", true },
  { "std::vector::push_back", "std::vector<int, std::allocator<int> >::push_back(int&&)", true },
  { "vector::push_back", "std::vector<int, std::allocator<int> >::push_back(int&&)", true },
  { "allocator", "std::vector<int, std::allocator<int> >::push_back(int&&)", false },
  { "count_of", "unsigned long tools::count_of<char>(char const*)", true },
  { "unsigned", "unsigned long tools::count_of<char>(char const*)", false },
  { "next", "(anonymous namespace)::reader::next(std::map<int, long>::const_iterator)", true },
  { "reader::next", "(anonymous namespace)::reader::next(std::map<int, long>::const_iterator)",
    true },
  { "operator()", "std::function<void (int)>::operator()(int) const", true },
  { "operator<<", "std::ostream& std::operator<< <char>(std::ostream&, char const*)", false },
  { "operator<< <>", "std::ostream& std::operator<< <char>(std::ostream&, char const*)", true },
  { "operator bool", "std::unique_ptr<int>::operator bool() const", true },
  { "procedure", "module::procedure", true },
  { "sum", "sum.constprop", true },
  { "sum", "sum.part.0", true },
  { "sum", "sum.of", false },
  { "x", "x.particle", false },
  { "f", "::f", true },
  { "g", "::f", false },
  { "g", "<lambda(int)>::operator()(int)", false },
  { "bar*", "Foo::bar() const::{lambda()#1}::operator()() const", true },
  { "sum", "sum(int, int) [clone .constprop.0]", true },
  { "*", "what<is_not_closed", true },
  { "what", "what<is_not_closed", false },
  { "", "main", false },
};

static void
test_match (void)
{
  for (size_t i = 0; i < sizeof matches / sizeof *matches; i++)
    if (cab_names_match (matches[i].glob, matches[i].name) != matches[i].good)
      {
	fprintf (stderr, "%s and %s\n", matches[i].glob, matches[i].name);
	CU_FAIL ("match");
      }
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("brief names", NULL, NULL);
  CU_add_test (suite, "brief", test_brief);
  CU_add_test (suite, "next", test_next);
  CU_add_test (suite, "match", test_match);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
