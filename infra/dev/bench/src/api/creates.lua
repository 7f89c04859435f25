-- Creates links, each of another product, and prints the figures as one line of JSON.
-- Arguments: API key; milliseconds between the creates of a connection. Runs that start in different seconds create links of
-- different products.
local product = os.time() % 10000 * 100000

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer " .. args[1]
  local pause = tonumber(args[2])
  if pause > 0 then
    delay = function() return pause * 2 * math.random() end
  end
end

function request()
  product = product + 1
  local url = string.format("https://www.amazon.com/dp/B%09d?tag=anna-20", product)
  return wrk.format(nil, nil, nil, '{"url":"' .. url .. '"}')
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"responses":%d,"failed":%d,"p50":%d,"p99":%d}',
    summary.requests, errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)
  ))
end
