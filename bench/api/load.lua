-- Requests for wrk, as load.ts starts it: one thread for each process of the API, whose addresses are in ADDRESSES.
-- Arguments: GET PATH FIRST MEMBERS, STREAK FIRST MEMBERS (a check that is refused),
-- CLAIM BASE SHARE FIRST CONNECTIONS MISSION..., or
-- BOOK MIX FIRST-LINE BASE MEMBERS LINES-A-BATCH KEY

local threads = {}
expected = '"status_code":200'
local headers = { ['content-type'] = 'application/json' }

function setup(thread)
  local nth = 0
  for host, port in os.getenv('ADDRESSES'):gmatch('([^:,]+):(%d+)') do
    if nth == #threads then thread.addr = wrk.lookup(host, port)[1] end
    nth = nth + 1
  end
  thread:set('id', #threads)
  table.insert(threads, thread)
end

local function fail(why)
  io.stderr:write(why, '\n')
  os.exit(1)
end

local function as(member)
  headers['x-sign-key'] = string.format('bench-%d', member)
  return headers
end

local function anyOf(first, members)
  math.randomseed(os.time() + id)
  return function() return as(first + math.random(tonumber(members)) - 1) end
end

local function reads(path, first, members)
  local any = anyOf(first, members)
  return function() return wrk.format('GET', path, any()) end
end

local function streakChecks(first, members)
  -- In turn, since a member has a limit of calls a second.
  local nth = id
  local function nextOne()
    nth = nth + 1
    return as(first + nth % members)
  end
  local path = '/api/client/take-code?event_code_detail=NAP_STREAK'
  local days = '"startTimeStreak":"2025-08-01","endTimeStreak":"2025-09-06"'
  local body = '{"event_code_detail":"NAP_STREAK",' .. days .. '}'
  expected = '"status_code":4220'
  return function() return wrk.format('POST', path, nextOne(), body) end
end

-- As many members as connections claim their first mission, then their second: no two connections claim for one member.
local function claims(base, share, first, connections, ...)
  local missions = { ... }
  n = tonumber(first)
  return function()
    local turn = math.floor(n / connections)
    local mission = missions[turn % #missions + 1]
    local member = math.floor(turn / #missions) * connections + n % connections
    if member >= tonumber(share) then fail('no claims are left: choose fewer --seconds') end
    n = n + 1
    local path = '/api/client/take-code?event_code_detail=' .. mission
    local body = string.format('{"event_code_detail":"%s"}', mission)
    return wrk.format('POST', path, as(base + id * share + member), body)
  end
end

-- Every tenth line is a deposit. Of reversals, every tenth one takes a line back that came 20,000 lines before, by turns a deposit and a bet.
local function bookings(mix, first, base, members, lines, key)
  headers.authorization = 'Bearer ' .. key
  expected = '"refused":[]'
  n, lines = tonumber(first), tonumber(lines)
  local function event(line)
    local what, of = '"kind":"bet","amount":100', line
    if mix == 'deposits' or mix ~= 'bets' and line % 10 == 0 then what = '"kind":"deposit","amount":100' end
    if mix == 'reversals' and line % 10 == 9 then
      of = line - (line % 20 == 9 and 20009 or 20001)
      what = string.format('"kind":"reversal","reverses":"%d-%d"', id, of)
    end
    return string.format('{"source":"book","ref":"%d-%d","username":"bench%d","occurred_at":"2025-08-%02dT12:00:00+07:00",%s}',
      id, line, base + (of * 7919 + id) % members, line % 19 + 1, what)
  end
  return function()
    local events = {}
    for i = 1, lines do events[i] = event(n + i) end
    n = n + lines
    return wrk.format('POST', '/api/users/activity', headers, '{"events":[' .. table.concat(events, ',') .. ']}')
  end
end

function init(args)
  local kinds = { GET = reads, STREAK = streakChecks, CLAIM = claims, BOOK = bookings }
  request = kinds[args[1]](unpack(args, 2))
end

function response(status, _, body)
  if body:find(expected, 1, true) then return end
  fail('an answer under load was refused: ' .. status .. ' ' .. body:sub(1, 600))
end

function done(summary, latency)
  local errors = summary.errors
  -- Not errors.status: a refused streak check is an answer.
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  if broken > 0 or summary.requests == 0 then
    fail(string.format('%d answers, and %d calls that failed or took too long', summary.requests, broken))
  end
  local last = 0
  for _, thread in ipairs(threads) do last = math.max(last, thread:get('n') or 0) end
  print('measured', summary.requests, summary.requests * 1e6 / summary.duration, latency:percentile(50), latency:percentile(99), last)
end
