import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { openSlowClients } from "./slow-clients.ts";

async function serve(onText: (text: string) => void, keepsOpen = true): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => onText(String(chunk)));
    if (!keepsOpen) socket.destroy();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

it("starts a request without ending it, and stays connected", async () => {
  const texts: string[] = [];
  const port = await serve((text) => texts.push(text));
  const clients = openSlowClients({ port, count: 2, slowPart: "headers", path: "/l/abc2345" });
  onTestFinished(clients.stop);

  await vi.waitFor(() => expect(texts).toHaveLength(2));

  expect(texts[0]).toMatch(/^POST \/l\/abc2345 HTTP\/1\.1\r\n/);
  expect(texts[0]).not.toContain("\r\n\r\n");
  expect(clients.connectedMs()).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

it("measures how long it was connected", async () => {
  const port = await serve(() => {}, false);
  const clients = openSlowClients({ port, count: 1, slowPart: "nothing", path: "/" });
  onTestFinished(clients.stop);

  await vi.waitFor(() => expect(clients.connectedMs()[0]).toBeLessThan(Number.POSITIVE_INFINITY));
});
