-- Requests for wrk, as load.ts starts it: one thread for each process of the API, whose addresses are in ADDRESSES.
-- Arguments: GET PATH FIRST MEMBERS, STREAK FIRST MEMBERS (a check that is refused), or
-- CLAIM BASE SHARE FIRST CONNECTIONS MISSION...

local threads = {}
expected = 200
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
  local any = anyOf(first, members)
  local path = '/api/client/take-code?event_code_detail=NAP_STREAK'
  local days = '"startTimeStreak":"2025-08-01","endTimeStreak":"2025-09-06"'
  local body = '{"event_code_detail":"NAP_STREAK",' .. days .. '}'
  expected = 4220
  return function() return wrk.format('POST', path, any(), body) end
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

function init(args)
  local kinds = { GET = reads, STREAK = streakChecks, CLAIM = claims }
  request = kinds[args[1]](unpack(args, 2))
end

function response(status, _, body)
  if body:find('"status_code":' .. expected, 1, true) then return end
  fail('an answer under load was refused: ' .. status .. ' ' .. body:sub(1, 600))
end

function done(summary, latency)
  local last = 0
  for _, thread in ipairs(threads) do last = math.max(last, thread:get('n') or 0) end
  print('measured', summary.requests, summary.requests * 1e6 / summary.duration, latency:percentile(50), latency:percentile(99), last)
end
