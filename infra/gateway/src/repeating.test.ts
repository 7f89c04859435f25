import { beforeEach, expect, it, onTestFinished } from "vitest";
import { ask } from "./testing/ask.ts";
import { startGateway } from "./testing/start-gateway.ts";
import { startUpstream, type Upstream } from "./testing/upstream.ts";

let arrived: string[];
beforeEach(() => {
  arrived = [];
});

async function replica(name: string, outcome: "dies" | "answers"): Promise<Upstream> {
  const upstream = await startUpstream((request, response) => {
    arrived.push(`${request.method} at ${name}`);
    if (outcome === "dies") request.socket.destroy();
    else response.end(`from ${name}`);
  });
  onTestFinished(upstream.stop);
  return upstream;
}

async function gatewayTo(...replicas: Upstream[]) {
  const addresses = replicas.map(({ address }) => address);
  const gateway = await startGateway({ api: addresses, redirect: addresses });
  onTestFinished(gateway.stop);
  return gateway;
}

it.each(["GET", "HEAD"])("asks another replica when one dies during a %s", async (method) => {
  const gateway = await gatewayTo(
    await replica("first", "dies"),
    await replica("second", "answers"),
  );

  const { status } = await ask(`${gateway.url}/l/abc2345`, { method });

  expect(status).toBe(200);
  expect(arrived).toEqual([`${method} at first`, `${method} at second`]);
});

it.each(["POST", "PATCH"])("never repeats a %s that a service may have done", async (method) => {
  const gateway = await gatewayTo(
    await replica("first", "dies"),
    await replica("second", "answers"),
  );

  const { status } = await ask(`${gateway.url}/api/generate`, { method, body: "{}" });

  expect(status).toBe(502);
  expect(arrived).toEqual([`${method} at first`]);
});

it("asks no third time", async () => {
  const gateway = await gatewayTo(
    await replica("first", "dies"),
    await replica("second", "dies"),
    await replica("third", "answers"),
  );

  expect((await ask(`${gateway.url}/l/abc2345`)).status).toBe(502);
  expect(arrived).toEqual(["GET at first", "GET at second"]);
});
