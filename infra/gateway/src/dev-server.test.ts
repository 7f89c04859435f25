import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { sharedGateway } from "./testing/start-gateway.ts";
import { echo } from "./testing/upstream.ts";

const vite = createServer(echo("vite"));
vite.on("upgrade", (_request, socket) => {
  socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
});
await once(vite.listen(0, "127.0.0.1"), "listening");
afterAll(() => void vite.close());
const { port } = vite.address() as AddressInfo;
const gateway = await sharedGateway({ devServer: `127.0.0.1:${port}` });

it.each(["/", "/src/main.tsx", "/node_modules/.vite/deps/react.js.map"])(
  "Vite serves %s without a strict policy",
  async (path) => {
    expect(await gateway.received(path)).toMatchObject({ service: "vite", url: path });
    expect((await gateway.send(path)).headers["content-security-policy"]).toBeUndefined();
  },
);

it.each([
  ["/api/visitor", "api"],
  ["/l/abc2345", "redirect"],
])("%s is still served by %s", async (path, service) => {
  expect(await gateway.received(path)).toMatchObject({ service });
});

it("Vite's websocket is proxied with the site's host", async () => {
  const outgoing = request(gateway.url, {
    headers: { Connection: "Upgrade", Upgrade: "websocket", Host: "evil.example" },
  });
  const upgradeReceived = once(vite, "upgrade");
  outgoing.end();
  const [response] = await once(outgoing, "upgrade");
  const [received] = await upgradeReceived;
  expect(response.statusCode).toBe(101);
  expect(received.headers.host).toBe("links.example");
});
