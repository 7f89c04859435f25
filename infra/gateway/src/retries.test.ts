import { beforeEach, expect, it, onTestFinished } from "vitest";
import { gatewayForTest } from "./testing/start-gateway.ts";
import { startUpstream, type Upstream } from "./testing/upstream.ts";

let received: string[];
beforeEach(() => {
  received = [];
});

async function startReplica(name: string, outcome: "disconnects" | "responds"): Promise<Upstream> {
  const upstream = await startUpstream((request, response) => {
    received.push(`${request.method} at ${name}`);
    if (outcome === "disconnects") request.socket.destroy();
    else response.end(`from ${name}`);
  });
  onTestFinished(upstream.stop);
  return upstream;
}

async function startGatewayWith(...replicas: Upstream[]) {
  const addresses = replicas.map(({ address }) => address);
  const gateway = await gatewayForTest({ api: addresses, redirect: addresses });
  return gateway;
}

it.each(["GET", "HEAD"])(
  "retries a %s at another replica if the first one disconnects",
  async (method) => {
    const gateway = await startGatewayWith(
      await startReplica("first", "disconnects"),
      await startReplica("second", "responds"),
    );

    const { status } = await gateway.send("/l/abc2345", { method });

    expect(status).toBe(200);
    expect(received).toEqual([`${method} at first`, `${method} at second`]);
  },
);

it.each(["POST", "PATCH"])(
  "never retries a %s, which a service may have executed",
  async (method) => {
    const gateway = await startGatewayWith(
      await startReplica("first", "disconnects"),
      await startReplica("second", "responds"),
    );

    const { status } = await gateway.send("/api/generate", { method, body: "{}" });

    expect(status).toBe(502);
    expect(received).toEqual([`${method} at first`]);
  },
);

it("does not try a third replica", async () => {
  const gateway = await startGatewayWith(
    await startReplica("first", "disconnects"),
    await startReplica("second", "disconnects"),
    await startReplica("third", "responds"),
  );

  expect((await gateway.send("/l/abc2345")).status).toBe(502);
  expect(received).toEqual(["GET at first", "GET at second"]);
});
