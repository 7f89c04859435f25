-- Visits the links of the benchmark and prints the figures as one line of JSON.
-- Arguments: number of links; distribution of the visits ("one", "uniform", "zipf", or "each" in order); the ten letters for
-- the digits of a link number in its code; milliseconds between the visits of a connection.
local links, spread, letters, pause
local last = -1

function init(args)
  links, spread, letters, pause = tonumber(args[1]), args[2], args[3], tonumber(args[4])
  math.randomseed(os.time())
  if pause > 0 then
    delay = function() return pause * 2 * math.random() end
  end
end

local function number()
  if spread == "one" then return 0 end
  if spread == "zipf" then return math.floor((links + 1) ^ math.random()) - 1 end
  if spread == "each" then
    last = (last + 1) % links
    return last
  end
  return math.random(0, links - 1)
end

function request()
  local code = string.format("%07d", number()):gsub("%d", function(digit)
    local at = tonumber(digit) + 1
    return letters:sub(at, at)
  end)
  return wrk.format("GET", wrk.path .. code)
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"micros":%d,"refused":%d,"lost":%d,"p50":%d,"p99":%d,"p999":%d}',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)
  ))
end
