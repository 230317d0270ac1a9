// workload.js - what an interpreter is asked to do in bench-loops: sieve, queens, strings, sorting, objects.
// SPDX-License-Identifier: GPL-3.0-or-later
var rounds = +scriptArgs[0];

function sieve (n)
{
  var composite = [], count = 0;
  for (var i = 0; i <= n; i++)
    composite[i] = false;
  for (var i = 2; i <= n; i++)
    if (!composite[i])
      {
	count++;
	for (var k = i + i; k <= n; k += i)
	  composite[k] = true;
      }
  return count;
}

function queens (n, row, columns, left, right)
{
  if (row == n)
    return 1;
  var found = 0;
  for (var c = 0; c < n; c++)
    if (!columns[c] && !left[row + c] && !right[row - c + n])
      {
	columns[c] = left[row + c] = right[row - c + n] = true;
	found += queens (n, row + 1, columns, left, right);
	columns[c] = left[row + c] = right[row - c + n] = false;
      }
  return found;
}

function words (n)
{
  var text = "", seen = {}, total = 0;
  for (var i = 0; i < n; i++)
    text += String.fromCharCode (97 + i * i % 26) + (i % 5 == 4 ? " " : "");
  text.split (" ").forEach (function (word) {
    seen[word] = (seen[word] || 0) + 1;
  });
  for (var word in seen)
    total += seen[word] * word.length;
  return total + text.replace (/[aeiou]+/g, "-").length;
}

function sorted (n)
{
  var list = [], state = 1;
  for (var i = 0; i < n; i++)
    list.push (state = (state * 16807) % 2147483647);
  list.sort (function (a, b) { return a - b; });
  return list[n >> 1];
}

for (var r = 0; r < rounds; r++)
  print (sieve (8000), queens (6, 0, [], [], []), words (3000), sorted (2000));
