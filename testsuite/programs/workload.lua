-- workload.lua - what the Lua interpreter is made to do: strings, tables, closures, errors (longjmp), coroutines, sorting, collection.
-- SPDX-License-Identifier: GPL-3.0-or-later
-- usage: lua workload.lua SCALE

local scale = tonumber (arg[1]) or 1

-- Numbers in a sequence that is the same everywhere.
local state = 12345
local function random (n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % n
end

local function words (n)
  local list = {}
  for i = 1, n do
    local letters = {}
    for k = 1, 3 + random (6) do
      letters[k] = string.char (97 + random (26))
    end
    list[i] = table.concat (letters)
  end
  return list
end

local function count_words (text)
  local counts, order = {}, {}
  for word in text:gmatch ("%a+") do
    if not counts[word] then
      order[#order + 1] = word
    end
    counts[word] = (counts[word] or 0) + 1
  end
  table.sort (order, function (a, b)
    if counts[a] ~= counts[b] then
      return counts[a] > counts[b]
    end
    return a < b
  end)
  return order, counts
end

local function queens (n)
  local found, columns, up, down = 0, {}, {}, {}
  local function place (row)
    if row > n then
      found = found + 1
      return
    end
    for c = 1, n do
      if not (columns[c] or up[row + c] or down[row - c]) then
        columns[c], up[row + c], down[row - c] = true, true, true
        place (row + 1)
        columns[c], up[row + c], down[row - c] = nil, nil, nil
      end
    end
  end
  place (1)
  return found
end

local function risky (n)
  if n == 0 then
    error ({ code = 7 })
  end
  local ok, why = pcall (risky, n - 1)
  if not ok and n % 3 == 0 then
    return why.code
  end
  if not ok then
    error (why)
  end
  return why
end

local function numbers (limit)
  return coroutine.wrap (function ()
    for i = 2, limit do
      local prime = true
      for d = 2, math.floor (math.sqrt (i)) do
        if i % d == 0 then
          prime = false
          break
        end
      end
      if prime then
        coroutine.yield (i)
      end
    end
  end)
end

local Shape = {}
Shape.__index = Shape
Shape.__add = function (a, b)
  return setmetatable ({ area = a.area + b.area }, Shape)
end
function Shape.new (area)
  return setmetatable ({ area = area }, Shape)
end

for round = 1, scale do
  local order, counts = count_words (table.concat (words (4000), " "))
  print (round, #order, order[1], counts[order[1]])
  print (queens (6), select (2, pcall (risky, 20)))
  local sum = 0
  for prime in numbers (2000) do
    sum = sum + prime
  end
  local total = Shape.new (0)
  for i = 1, 3000 do
    total = total + Shape.new (i)
  end
  print (sum, total.area, string.format ("%5.2f|%x|%q", sum / 7, sum, order[2]))
  print ((table.concat (order, ","):gsub ("[aeiou]+", string.upper)):sub (1, 60))
end
