import type { LookupAddress } from "node:dns";
import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { afterAll, describe, expect, it } from "vitest";
import { startNameServer } from "../testing/name-server.ts";
import { startConnectionCounter, startRawServer } from "../testing/raw-server.ts";
import { internetClient, resolveAllAddresses } from "./client.ts";
import { createGuardedFetch } from "./safe-fetch.ts";

const LINK = { url: "https://amzn.to/3TapTru", purpose: "short" } as const;
const PUBLIC = { address: "52.94.236.248", family: 4 };
const LOOPBACK = { address: "127.0.0.1", family: 4 };
const LOOPBACK_V6 = { address: "::1", family: 6 };

const standIn = await startAmazonStandIn();
afterAll(() => standIn.stop());

/**
 * The real client, but with the stand-in's port and certificate authority, and with loopback addresses treated as
 * public.
 */
function fetchThrough(
  lookup: (host: string) => Promise<LookupAddress[]>,
  options: Parameters<typeof internetClient>[0] = {},
  deadlineMs?: number,
) {
  const client = internetClient({
    lookup,
    isAllowedAddress: (address) => address === "127.0.0.1" || address === "::1",
    port: standIn.httpsPort,
    ca: standIn.certificate,
    ...options,
  });
  return createGuardedFetch(client, "Tapthru-test", deadlineMs);
}

describe("internetClient", () => {
  it("sends the host's name over TLS to the resolved address", async () => {
    const resolved: string[] = [];
    const safeFetch = fetchThrough(async (host) => {
      resolved.push(host);
      return [LOOPBACK];
    });
    expect(await safeFetch(LINK)).toMatchObject({ status: 301 });
    expect(resolved).toEqual(["amzn.to"]);
    expect(standIn.requests.at(-1)).toMatchObject({ host: "amzn.to", url: "/3TapTru", serverName: "amzn.to" });
  });

  it("resolves the name for each request and checks it again", async () => {
    const results = [[LOOPBACK], [{ address: "127.0.0.2", family: 4 }]];
    const safeFetch = fetchThrough(async () => results.shift() ?? []);
    expect(await safeFetch(LINK)).toMatchObject({ status: 301 });
    const requests = standIn.requests.length;
    await expect(safeFetch(LINK)).rejects.toMatchObject({ code: "refused-address" });
    expect(standIn.requests).toHaveLength(requests);
  });

  it("tries the next address if the first does not respond", async () => {
    const safeFetch = fetchThrough(async () => [LOOPBACK_V6, LOOPBACK]);
    expect(await safeFetch(LINK)).toMatchObject({ status: 301 });
  });

  it("refuses a certificate that no authority signed", async () => {
    const options = { lookup: async () => [LOOPBACK], isAllowedAddress: () => true, port: standIn.httpsPort };
    const safeFetch = createGuardedFetch(internetClient(options), "Tapthru-test");
    await expect(safeFetch(LINK)).rejects.toMatchObject({ code: "unreachable" });
  });

  it("refuses a certificate of another host", async () => {
    const client = internetClient({
      lookup: async () => [LOOPBACK],
      isAllowedAddress: () => true,
      port: standIn.httpsPort,
      ca: standIn.certificate,
    })(new URL("https://evil.example"));
    await expect(client.request({ method: "GET", path: "/" })).rejects.toMatchObject({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
    await client.destroy();
  });

  it.each([
    ["loopback", [LOOPBACK]],
    ["IPv4-mapped loopback", [{ address: "::ffff:127.0.0.1", family: 6 }]],
    ["a private address after a public one", [PUBLIC, LOOPBACK]],
    ["a private IPv6 address beside a public IPv4 one", [PUBLIC, LOOPBACK_V6]],
    ["no address in a usual spelling", [{ address: "2130706433", family: 4 }]],
  ])("opens no connection if the name resolves to %s", async (_what, addresses) => {
    const canaries = await startConnectionCounter();
    const client = internetClient({ lookup: async () => addresses, port: canaries.port });
    const safeFetch = createGuardedFetch(client, "Tapthru-test");
    await expect(safeFetch(LINK)).rejects.toMatchObject({ code: "refused-address" });
    expect(canaries.connections()).toBe(0);
  });

  it("does not include why a name cannot be resolved", async () => {
    const safeFetch = fetchThrough(() => Promise.reject(new Error("SERVFAIL ns1.internal")));
    await expect(safeFetch(LINK)).rejects.toMatchObject({
      code: "unreachable",
      message: "The host could not be reached.",
    });
  });

  it("does not wait for a silent name server beyond the deadline", async () => {
    const safeFetch = fetchThrough(() => new Promise(() => {}), {}, 50);
    await expect(safeFetch(LINK)).rejects.toMatchObject({ code: "timeout" });
  });

  it("does not wait for a silent TLS server beyond the deadline", async () => {
    const silent = await startRawServer(() => {});
    const safeFetch = fetchThrough(async () => [LOOPBACK], { port: silent.port }, 50);
    await expect(safeFetch(LINK)).rejects.toMatchObject({ code: "timeout" });
  });
});

describe("resolveAllAddresses", () => {
  it("returns the addresses of both families", async () => {
    const server = await startNameServer((type) => (type === "A" ? ["1.1.1.1", "10.0.0.1"] : ["2a00::1"]));
    expect(await resolveAllAddresses("amzn.to", [server])).toEqual([
      { address: "1.1.1.1", family: 4 },
      { address: "10.0.0.1", family: 4 },
      { address: "2a00::1", family: 6 },
    ]);
  });

  it("returns the addresses of one family if the other fails", async () => {
    const server = await startNameServer((type) => (type === "A" ? ["1.1.1.1"] : null));
    expect(await resolveAllAddresses("amzn.to", [server])).toEqual([{ address: "1.1.1.1", family: 4 }]);
  });

  it("rejects if there is no address", async () => {
    const server = await startNameServer(() => []);
    await expect(resolveAllAddresses("amzn.to", [server])).rejects.toThrow("no address");
  });
});
