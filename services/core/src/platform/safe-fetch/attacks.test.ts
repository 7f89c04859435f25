import { describe, expect, it } from "vitest";
import { startConnectionCounter } from "../testing/raw-server.ts";
import { internetClient } from "./client.ts";
import type { Purpose } from "./purposes.ts";
import { createGuardedFetch } from "./safe-fetch.ts";

/** `PORT` is replaced by the port of the canary. */
const ATTACKS = [
  // addresses in every spelling
  "https://127.0.0.1/",
  "https://127.0.0.1:PORT/",
  "https://127.1/",
  "https://127.000.000.001/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7f.1/",
  "https://0x7f.0x0.0x0.0x1/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://0/",
  "https://0.0.0.0:PORT/",
  "https://127.0.0.1./",
  "https://169.254.169.254/latest/meta-data/",
  "https://2852039166/latest/meta-data/",
  "https://0xa9fea9fe/",
  "https://①②⑦.⓪.⓪.①/",
  "https://127。0。0。1/",
  "https://[::1]/",
  "https://[::1]:PORT/",
  "https://[0:0:0:0:0:0:0:1]/",
  "https://[::]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]:PORT/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::127.0.0.1]/",
  "https://[2002:7f00:1::]/",
  "https://[fe80::1]/",
  "https://[fd00:ec2::254]/",
  "https://52.94.236.248/",
  // names of the local network
  "https://localhost/",
  "https://localhost:PORT/",
  "https://LOCALHOST./",
  "https://localhost.localdomain/",
  "https://metadata.google.internal/computeMetadata/v1/",
  "https://postgres:5432/",
  "https://kubernetes.default.svc/",
  "https://127.0.0.1.nip.io/",
  // an allowed host in the wrong place
  "https://amzn.to@127.0.0.1/",
  "https://amzn.to:PORT@127.0.0.1/",
  "https://amzn.to%40127.0.0.1/",
  "https://amzn.to%2F@127.0.0.1/",
  "https://127.0.0.1#@amzn.to/",
  "https://127.0.0.1?@amzn.to/",
  "https://127.0.0.1\\@amzn.to/",
  "https://127.0.0.1/https://amzn.to/",
  "https://evil.example/?url=https://amzn.to/3TapTru",
  "https://amzn.to.evil.example/3TapTru",
  "https://amzn.to.127.0.0.1.nip.io/",
  "https://evil.example/amzn.to/3TapTru",
  "https://evil-amzn.to/3TapTru",
  "https://evilamzn.to/3TapTru",
  "https://www.www.amzn.to/3TapTru",
  "https://x.amzn.to/3TapTru",
  "https://r.amzlink.to/?btn_url=https://www.amazon.com/",
  "https://www.amazon.com.evil.example/dp/B0CX23V2ZK",
  "https://aws.amazon.com/",
  "https://amazon.com.co/",
  "https://amazon.evil/",
  // an allowed host in an invalid URL
  "http://amzn.to/3TapTru",
  "http://amzn.to:443/3TapTru",
  "https://amzn.to:80/3TapTru",
  "https://amzn.to:8443/3TapTru",
  "https://amzn.to:PORT/3TapTru",
  "https://amzn.to./3TapTru",
  "https://www.amazon.com./dp/B0CX23V2ZK",
  "https://user@amzn.to/3TapTru",
  "https://user:secret@amzn.to/3TapTru",
  "https://:secret@amzn.to/3TapTru",
  "https://amzn.to%00.evil.example/",
  "https://amzn.to%0d%0ahost:evil.example/",
  "ftp://amzn.to/3TapTru",
  "ws://amzn.to/3TapTru",
  "wss://amzn.to/3TapTru",
  "file://amzn.to/etc/passwd",
  "file:///etc/passwd",
  "gopher://127.0.0.1:6379/_FLUSHALL",
  "unix:/var/run/docker.sock",
  "data:text/html,amzn.to",
  "javascript:fetch('https://amzn.to/')",
  "blob:https://amzn.to/3TapTru",
  "//amzn.to/3TapTru",
  "amzn.to/3TapTru",
  "",
  // letters that look like others
  "https://аmzn.to/3TapTru",
  "https://amzո.to/3TapTru",
  "https://xn--mzn-8cd.to/3TapTru",
  "https://a.cо/d/0AbCdEf",
  "https://www.amazоn.com/dp/B0CX23V2ZK",
  "https://www.amaz0n.com/dp/B0CX23V2ZK",
  "https://www.arnazon.com/dp/B0CX23V2ZK",
];

const LOOPBACK = [{ address: "127.0.0.1", family: 4 }];

/** A safeFetch whose connections, if any, would reach a canary. */
async function openSafeFetch() {
  const { port, connections } = await startConnectionCounter();
  const lookups: string[] = [];
  const client = internetClient({
    lookup: async (host) => {
      lookups.push(host);
      return LOOPBACK;
    },
    isAllowedAddress: () => true,
    port,
  });
  return {
    safeFetch: createGuardedFetch(client, "Tapthru-test"),
    port,
    lookups,
    connections,
  };
}

async function expectRefused(attack: string, purpose: Purpose): Promise<void> {
  const { safeFetch, port, lookups, connections } = await openSafeFetch();
  const url = attack.replace("PORT", String(port));
  await expect(safeFetch({ url, purpose })).rejects.toMatchObject({ code: "refused-url" });
  expect(lookups).toEqual([]);
  expect(connections()).toBe(0);
}

const PURPOSES = ["short", "store", "creators-api", "login-with-amazon"] as const;

describe.each(PURPOSES)("for the purpose %s", (purpose) => {
  it.each(ATTACKS)("%s is refused without a look-up or a connection", (attack) => expectRefused(attack, purpose));
});

describe("a host of one purpose", () => {
  it.each([
    ["store", "https://amzn.to/3TapTru"],
    ["store", "https://a.co/d/0AbCdEf"],
    ["short", "https://www.amazon.com/dp/B0CX23V2ZK"],
    ["store", "https://api.amazon.com/auth/o2/token"],
    ["short", "https://creatorsapi.amazon/catalog/v1/getItems"],
    ["creators-api", "https://www.amazon.com/dp/B0CX23V2ZK"],
    ["creators-api", "https://api.amazon.de/auth/o2/token"],
    ["creators-api", "https://www.creatorsapi.amazon/"],
    ["login-with-amazon", "https://www.amazon.com/ap/oa"],
    ["login-with-amazon", "https://creatorsapi.amazon/catalog/v1/getItems"],
    ["login-with-amazon", "https://api.amazon.co.uk/auth/o2/token"],
  ] as const)("is refused for the purpose %s: %s", (purpose, url) => expectRefused(url, purpose));
});

describe("a valid address", () => {
  it.each([
    ["short", "https://amzn.to/3TapTru", "amzn.to"],
    ["short", "https://AMZN.TO/3TapTru", "amzn.to"],
    ["short", "https://amzn.to:443/3TapTru", "amzn.to"],
    ["short", "https://www.amzn.to/3TapTru", "www.amzn.to"],
    ["short", "https://a.co/d/0AbCdEf", "a.co"],
    ["short", "https://amzn.eu/d/3uRoPe1", "amzn.eu"],
    ["short", "https://amzn.asia/d/4sIa001", "amzn.asia"],
    ["short", "https://amzn.in/d/1nD1a00", "amzn.in"],
    ["short", "https://amzn.com/dp/B0CX23V2ZK", "amzn.com"],
    ["short", "https://link.amazon/B0Tp7Hr2U", "link.amazon"],
    ["short", "https://amzlinks.in/B0Tp7Hr2U", "amzlinks.in"],
    ["short", "https://amzlink.to/az0TapThruLnk", "amzlink.to"],
    ["creators-api", "https://creatorsapi.amazon/catalog/v1/getItems", "creatorsapi.amazon"],
    ["creators-api", "https://api.amazon.com/auth/o2/token", "api.amazon.com"],
    ["creators-api", "https://api.amazon.co.uk/auth/o2/token", "api.amazon.co.uk"],
    ["creators-api", "https://api.amazon.co.jp/auth/o2/token", "api.amazon.co.jp"],
    ["login-with-amazon", "https://api.amazon.com/auth/o2/token", "api.amazon.com"],
    ["store", "https://www.amazon.com/dp/B0CX23V2ZK?u=https://127.0.0.1/", "www.amazon.com"],
    ["store", "https://www.amazon.co.uk/s?k=@localhost", "www.amazon.co.uk"],
    ["store", "https://m.amazon.de/dp/B08N5WRWNW#@evil.example", "m.amazon.de"],
    ["store", "https://smile.amazon.com/dp/B0CX23V2ZK", "smile.amazon.com"],
    ["store", "https://amazon.com.br/dp/B0CX23V2ZK", "amazon.com.br"],
  ] as const)("is looked up and reached for the purpose %s: %s", async (purpose, url, host) => {
    const { safeFetch, lookups, connections } = await openSafeFetch();
    await expect(safeFetch({ url, purpose })).rejects.toMatchObject({ code: "unreachable" });
    expect(lookups).toEqual([host]);
    expect(connections()).toBe(1);
  });
});
