import { expect, it } from "vitest";
import { gatewayForTest } from "./testing/start-gateway.ts";
import { upstreamForTest } from "./testing/upstream.ts";

const DISCONNECTS = false;
const RESPONDS = true;

it.each([
  ["GET is retried once, at another replica", "GET", [DISCONNECTS, RESPONDS], 200, [0, 1]],
  ["HEAD is retried once, at another replica", "HEAD", [DISCONNECTS, RESPONDS], 200, [0, 1]],
  ["GET is not retried twice", "GET", [DISCONNECTS, DISCONNECTS, RESPONDS], 502, [0, 1]],
  // A service may have executed it.
  ["POST is never retried", "POST", [DISCONNECTS, RESPONDS], 502, [0]],
  ["PATCH is never retried", "PATCH", [DISCONNECTS, RESPONDS], 502, [0]],
])("a %s", async (_title, method, replicas, expected, tried) => {
  const received: number[] = [];
  const upstreams = replicas.map((responds, index) =>
    upstreamForTest((request, response) => {
      received.push(index);
      if (responds) response.end();
      else request.socket.destroy();
    }),
  );
  const addresses = (await Promise.all(upstreams)).map(({ address }) => address);
  const gateway = await gatewayForTest({ api: addresses, redirect: addresses });
  const isRead = method === "GET" || method === "HEAD";

  const { status } = isRead
    ? await gateway.send("/l/abc2345", { method })
    : await gateway.send("/api/generate", { method, body: "{}" });
  expect(status).toBe(expected);
  expect(received).toEqual(tried);
});
