-- Creates links, each of another product, and prints the number of responses and of those that are errors.
-- Argument: API key. Runs that start in different seconds create links of different products.
local product = os.time() % 10000 * 100000

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer " .. args[1]
end

function request()
  product = product + 1
  local url = string.format("https://www.amazon.com/dp/B%09d?tag=anna-20", product)
  return wrk.format(nil, nil, nil, '{"url":"' .. url .. '"}')
end

function done(summary)
  print(summary.requests .. " " .. summary.errors.status)
end
