-- Visits one link with the headers that a browser and the gateway send, and prints the number of responses.
-- Arguments: path; User-Agent; address of the visitor, or "new4" or "new6" for a new one each time.
local path, agent, address

function init(args)
  path, agent, address = args[1], args[2], args[3]
  math.randomseed(os.time())
end

local byte = function(first, last) return math.random(first, last) end

local addressOf = {
  new4 = function() return byte(1, 223) .. "." .. byte(0, 255) .. "." .. byte(0, 255) .. "." .. byte(0, 255) end,
  -- Of a /16 whose networks are assigned.
  new6 = function()
    return string.format("2a0%x:%x:%x::%x", byte(0, 9), byte(1, 65535), byte(1, 65535), byte(1, 65535))
  end,
}

function request()
  local new = addressOf[address]
  return wrk.format("GET", path, {
    ["User-Agent"] = agent,
    ["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    ["Accept-Language"] = "en-US,en;q=0.9,de;q=0.8",
    ["Accept-Encoding"] = "gzip, deflate, br, zstd",
    ["Referer"] = "https://l.instagram.com/",
    ["Sec-Fetch-Dest"] = "document",
    ["Sec-Fetch-Mode"] = "navigate",
    ["Sec-Fetch-Site"] = "cross-site",
    ["Upgrade-Insecure-Requests"] = "1",
    ["X-Forwarded-For"] = new and new() or address,
    ["X-Forwarded-Proto"] = "https",
    ["X-Request-Id"] = "0123456789abcdef0123456789abcdef",
    ["X-Request-Start"] = "1795287018.123",
  })
end

function done(summary)
  print(summary.requests)
end
