-- Creates links, each of another product. Runs that start in different seconds create links of different products.
local product = os.time() % 10000 * 100000

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function request()
  product = product + 1
  local url = string.format("https://www.amazon.com/dp/B%09d?tag=anna-20", product)
  return wrk.format(nil, nil, nil, '{"url":"' .. url .. '"}')
end
