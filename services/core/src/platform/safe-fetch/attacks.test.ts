import { expect, it } from "vitest";
import { startConnectionCounter } from "../testing/raw-server.ts";
import { internetClient } from "./client.ts";
import { SafeFetchError } from "./errors.ts";
import { createGuardedFetch, type Purpose } from "./safe-fetch.ts";

const words = (text: string) => text.trim().split(/\s+/);

/** `PORT` is replaced by the port of the canary. */
const ATTACKS = [
  // addresses in every spelling
  ...words(`
    https://127.0.0.1/ https://127.0.0.1:PORT/ https://127.1/ https://127.000.000.001/ https://2130706433/
    https://0x7f000001/ https://0x7f.1/ https://0x7f.0x0.0x0.0x1/ https://0177.0.0.1/ https://017700000001/
    https://0/ https://0.0.0.0:PORT/ https://127.0.0.1./ https://169.254.169.254/latest/meta-data/
    https://2852039166/latest/meta-data/ https://0xa9fea9fe/ https://①②⑦.⓪.⓪.①/ https://127。0。0。1/
    https://[::1]/ https://[::1]:PORT/ https://[0:0:0:0:0:0:0:1]/ https://[::]/ https://[::ffff:127.0.0.1]/
    https://[::ffff:7f00:1]:PORT/ https://[::127.0.0.1]/ https://[64:ff9b::127.0.0.1]/ https://[2002:7f00:1::]/
    https://[fe80::1]/ https://[fd00:ec2::254]/ https://52.94.236.248/
  `),
  // names of the local network
  ...words(`
    https://localhost/ https://localhost:PORT/ https://LOCALHOST./ https://localhost.localdomain/
    https://metadata.google.internal/computeMetadata/v1/ https://postgres:5432/ https://kubernetes.default.svc/
    https://127.0.0.1.nip.io/
  `),
  // an allowed host in the wrong place
  ...words(`
    https://amzn.to@127.0.0.1/ https://amzn.to:PORT@127.0.0.1/ https://amzn.to%40127.0.0.1/
    https://amzn.to%2F@127.0.0.1/ https://127.0.0.1#@amzn.to/ https://127.0.0.1?@amzn.to/
    https://127.0.0.1\\@amzn.to/ https://127.0.0.1/https://amzn.to/
    https://evil.example/?url=https://amzn.to/3TapTru https://amzn.to.evil.example/3TapTru
    https://amzn.to.127.0.0.1.nip.io/ https://evil.example/amzn.to/3TapTru https://evil-amzn.to/3TapTru
    https://evilamzn.to/3TapTru https://www.www.amzn.to/3TapTru https://x.amzn.to/3TapTru
    https://r.amzlink.to/?btn_url=https://www.amazon.com/ https://www.amazon.com.evil.example/dp/B0CX23V2ZK
    https://aws.amazon.com/ https://amazon.com.co/ https://amazon.evil/
  `),
  // an allowed host in an invalid URL
  ...words(`
    http://amzn.to/3TapTru http://amzn.to:443/3TapTru https://amzn.to:80/3TapTru https://amzn.to:8443/3TapTru
    https://amzn.to:PORT/3TapTru https://amzn.to./3TapTru https://www.amazon.com./dp/B0CX23V2ZK
    https://user@amzn.to/3TapTru https://user:secret@amzn.to/3TapTru https://:secret@amzn.to/3TapTru
    https://amzn.to%00.evil.example/ https://amzn.to%0d%0ahost:evil.example/ ftp://amzn.to/3TapTru
    ws://amzn.to/3TapTru wss://amzn.to/3TapTru file://amzn.to/etc/passwd file:///etc/passwd
    gopher://127.0.0.1:6379/_FLUSHALL unix:/var/run/docker.sock data:text/html,amzn.to
    javascript:fetch('https://amzn.to/') blob:https://amzn.to/3TapTru //amzn.to/3TapTru amzn.to/3TapTru
  `),
  // letters that look like others
  ...words(`
    https://аmzn.to/3TapTru https://amzո.to/3TapTru https://xn--mzn-8cd.to/3TapTru https://a.cо/d/0AbCdEf
    https://www.amazоn.com/dp/B0CX23V2ZK https://www.amaz0n.com/dp/B0CX23V2ZK
    https://www.arnazon.com/dp/B0CX23V2ZK
  `),
  "",
];

const LOOPBACK = [{ address: "127.0.0.1", family: 4 }];

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

async function notRefused(addresses: readonly string[], purpose: Purpose): Promise<string[]> {
  const { safeFetch, port, lookups, connections } = await openSafeFetch();
  const passed: string[] = [];
  for (const address of addresses) {
    const url = address.replace("PORT", String(port));
    const error = await safeFetch({ url, purpose }).catch((error: unknown) => error);
    if (!(error instanceof SafeFetchError && error.code === "refused-url")) passed.push(address);
  }
  expect([lookups, connections()]).toEqual([[], 0]);
  return passed;
}

it.each(["short", "store", "creators-api", "login-with-amazon"] as const)(
  "every attack is refused without a look-up or a connection for the purpose %s",
  async (purpose) => expect(await notRefused(ATTACKS, purpose)).toEqual([]),
);

it.each([
  ["store", "https://amzn.to/3TapTru https://a.co/d/0AbCdEf https://api.amazon.com/auth/o2/token"],
  ["short", "https://www.amazon.com/dp/B0CX23V2ZK https://creatorsapi.amazon/catalog/v1/getItems"],
  [
    "creators-api",
    "https://www.amazon.com/dp/B0CX23V2ZK https://api.amazon.de/auth/o2/token https://www.creatorsapi.amazon/",
  ],
  [
    "login-with-amazon",
    "https://www.amazon.com/ap/oa https://creatorsapi.amazon/catalog/v1/getItems https://api.amazon.co.uk/auth/o2/token",
  ],
] as const)("a host of another purpose is refused for the purpose %s", async (purpose, urls) => {
  expect(await notRefused(words(urls), purpose)).toEqual([]);
});

it.each([
  [
    "short",
    `https://amzn.to/3TapTru https://AMZN.TO/3TapTru https://amzn.to:443/3TapTru https://www.amzn.to/3TapTru
      https://a.co/d/0AbCdEf https://amzn.eu/d/3uRoPe1 https://amzn.asia/d/4sIa001 https://amzn.in/d/1nD1a00
      https://amzn.com/dp/B0CX23V2ZK https://link.amazon/B0Tp7Hr2U https://amzlinks.in/B0Tp7Hr2U
      https://amzlink.to/az0TapThruLnk`,
  ],
  [
    "creators-api",
    `https://creatorsapi.amazon/catalog/v1/getItems https://api.amazon.com/auth/o2/token
      https://api.amazon.co.uk/auth/o2/token https://api.amazon.co.jp/auth/o2/token`,
  ],
  ["login-with-amazon", "https://api.amazon.com/auth/o2/token"],
  [
    "store",
    `https://www.amazon.com/dp/B0CX23V2ZK?u=https://127.0.0.1/ https://www.amazon.co.uk/s?k=@localhost
      https://m.amazon.de/dp/B08N5WRWNW#@evil.example https://smile.amazon.com/dp/B0CX23V2ZK
      https://amazon.com.br/dp/B0CX23V2ZK`,
  ],
] as const)("a valid address is looked up and reached for the purpose %s", async (purpose, urls) => {
  for (const url of words(urls)) {
    const { safeFetch, lookups, connections } = await openSafeFetch();
    await expect(safeFetch({ url, purpose })).rejects.toMatchObject({ code: "unreachable" });
    expect([lookups, connections()]).toEqual([[new URL(url).hostname], 1]);
  }
});
