import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { freePort, listenOnFreePort } from "./free-port.ts";

function newServer() {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

it("gives each server a port of its own, none of those that systems give out", async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => listenOnFreePort(newServer())));
  expect(new Set(ports).size).toBe(200);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it("leaves the port it names to whoever wants to listen there", async () => {
  const port = await freePort();
  const server = newServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  expect((server.address() as AddressInfo).port).toBe(port);
});
