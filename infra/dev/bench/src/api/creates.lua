-- Creates links, and prints the number of responses and of those that are errors.
-- Arguments: API key; body of each request.
function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer " .. args[1]
  wrk.body = args[2]
end

function request()
  return wrk.format()
end

function done(summary)
  print(summary.requests .. " " .. summary.errors.status)
end
