import { expect, it } from "vitest";
import { startNameServer } from "../testing/name-server.ts";
import { startConnectionCounter, startServer } from "../testing/raw-server.ts";
import { createDomainProbe } from "./domain-probe.ts";

const HOST = "go.anna.example";

async function probeTo(addresses: readonly string[], localPorts: { http: number; https: number } | null = null) {
  const nameServers = [await startNameServer((type) => (type === "A" ? addresses : []))];
  return createDomainProbe({ userAgent: "test", nameServers, localPorts });
}

it.each([["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"], ["192.0.2.1", "127.0.0.1"]])(
  "a check is refused before a connection if the name leads to %s",
  async (...addresses) => {
    const probe = await probeTo(addresses);
    for (const scheme of ["http", "https"] as const) {
      await expect(probe[scheme](HOST, "/x")).rejects.toMatchObject({ code: "refused-address" });
    }
  },
);

it.each(["localhost", "127.0.0.1", "[::1]", "2130706433", "x@127.0.0.1", "intranet"])(
  "a check is refused for %s, which is no name of the public internet, also in local development",
  async (host) => {
    const { port, connections } = await startConnectionCounter();
    const localPorts = { http: port, https: port };
    const probe = createDomainProbe({ userAgent: "test", nameServers: null, localPorts });
    await expect(probe.http(host, "/x")).rejects.toMatchObject({ code: "refused-url" });
    expect(connections()).toBe(0);
  },
);

it("a check follows a redirect to https of the same address", async () => {
  const https = await startConnectionCounter();
  const { port } = await startServer((socket) =>
    socket.end(`HTTP/1.1 301 Moved\r\nLocation: https://${HOST}/x\r\nContent-Length: 0\r\n\r\n`),
  );
  const probe = await probeTo(["127.0.0.1"], { http: port, https: https.port });
  await expect(probe.http(HOST, "/x")).rejects.toMatchObject({ code: "unreachable" });
  expect(https.connections()).toBe(1);
});

it.each(["http://10.0.0.1/x", "https://10.0.0.1/x", `https://${HOST}/y`])(
  "a check follows no redirect to %s",
  async (location) => {
    const requests: string[] = [];
    const { port } = await startServer((socket, request) => {
      requests.push(request);
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
    });
    const probe = await probeTo(["127.0.0.1"], { http: port, https: port });
    expect(await probe.http(HOST, "/x")).toMatchObject({ status: 302 });
    expect(requests).toEqual([expect.stringMatching(/^GET \/x HTTP.*\r\nhost: go[.]anna[.]example\r\n/is)]);
  },
);
