import { existsSync } from "node:fs";
import { isMarketplace, MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import ipaddr from "ipaddr.js";
import * as z from "zod/mini";
import { redisAddressError } from "../redis/address.ts";
import { networksOf, PROXY_RANGES } from "./proxy-ranges.ts";

export function text(holds: (value: string) => boolean, reason: string) {
  return z.string().check(z.refine(holds, reason));
}

function address(protocols: readonly string[], reason: string) {
  return text((value) => protocols.includes(URL.parse(value)?.protocol ?? ""), reason);
}

function listOf(holds: (item: string) => boolean, reason: string) {
  const items = z.array(z.string()).check(z.refine((list) => list.every(holds), reason));
  const split = z.transform((list: string) => list.split(",").map((item) => item.trim()));
  return z.pipe(z.string(), z.pipe(split, items));
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}

export const origin = text(isOrigin, "must be an address such as https://go.example, without a path");

const portText = text(
  (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535,
  "must be a port from 1 to 65535",
);
export const port = z.pipe(portText, z.transform(Number));

/** The SSL modes that slonik and pg share. Both verify with `require`; slonik has no `verify-full`. */
const TLS_MODES = [undefined, "disable", "no-verify", "require"];

function hasKnownTls(value: string): boolean {
  const { sslmode, sslrootcert } = Object.fromEntries(URL.parse(value)?.searchParams ?? []);
  return TLS_MODES.includes(sslmode) && sslrootcert === undefined;
}

export const postgresUrl = address(
  ["postgres:", "postgresql:"],
  "must be an address such as postgres://user:password@host:5432/database",
).check(z.refine(hasKnownTls, "takes disable, no-verify or require as sslmode, and a CA by NODE_EXTRA_CA_CERTS"));

export const redisUrl = z.string().check(({ value, issues }) => {
  const message = redisAddressError(value);
  if (message !== null) issues.push({ code: "custom", message, input: value });
});

/** Without a path. Options of nodemailer may follow as a query. */
export const smtpUrl = text((value) => {
  const url = URL.parse(value);
  return /^smtps?:$/.test(url?.protocol ?? "") && url?.hostname !== "" && /^\/?$/.test(url?.pathname ?? "");
}, "must be an address such as smtps://user:password@host:465");

export const mailAddress = text(
  (value) => /^[^\s@<>",;:()[\]\\]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(value),
  "must be an email address",
);

function isProxy(value: string): boolean {
  return PROXY_RANGES.includes(value) || ipaddr.isValid(value) || ipaddr.isValidCIDR(value);
}

function hasClients(proxy: string): boolean {
  if (!ipaddr.isValidCIDR(proxy)) return false;
  const [address, bits] = ipaddr.parseCIDR(proxy);
  return bits < (address.kind() === "ipv4" ? 8 : 16);
}

export const trustedProxies = listOf(
  isProxy,
  `must be a comma-separated list of addresses, CIDR blocks or ${PROXY_RANGES.join(", ")}`,
).check(
  z.refine(
    (proxies) => !proxies.some(hasClients),
    "must not have a network larger than /8, or /16 for IPv6: a client in a trusted network chooses its own address",
  ),
);

export const proxyNetworks = z.pipe(
  trustedProxies,
  z.transform((proxies: string[]) => networksOf(proxies)),
);

/** `::` listens on all addresses of both families; on those of IPv4 where the system has no IPv6. */
export const listenAddress = z.pipe(
  z.string(),
  z.transform((host: string) => (host === "::" && !existsSync("/proc/net/if_inet6") ? "0.0.0.0" : host)),
);

export const hostAndPort = text(
  (value) => /^[\w.-]+:\d{1,5}$/.test(value),
  "must be an address such as 127.0.0.1:9099",
);

export const nameServers = listOf(
  (server) => /^(?:[\d.]+|\[[\da-f:]+\])(?::\d{1,5})?$/i.test(server),
  "must be addresses such as 10.0.0.2 or 10.0.0.2:53, separated by commas",
);

export const portPair = z.pipe(
  text((value) => /^\d{1,5},\d{1,5}$/.test(value), "must be two ports such as 8080,8444"),
  z.transform((value: string) => {
    const [http = 0, https = 0] = value.split(",").map(Number);
    return { http, https };
  }),
);

const positiveIntegerText = text((value) => /^[1-9]\d{0,8}$/.test(value), "must be a whole number from 1 to 999999999");
export const seconds = z.pipe(
  text((value) => /^\d{1,9}$/.test(value), "must be a whole number from 0 to 999999999"),
  z.transform(Number),
);
export const positiveInteger = z.pipe(positiveIntegerText, z.transform(Number));

const SECRET_MIN_LENGTH = 32;

export const secretKey = text(
  (key) => key.length >= SECRET_MIN_LENGTH,
  `must be a random text of at least ${SECRET_MIN_LENGTH} characters`,
);

/** Keys in order, newest first. Signatures of older keys remain valid. */
export const secretKeys = listOf(
  (key) => key.length >= SECRET_MIN_LENGTH,
  `must be comma-separated random texts of at least ${SECRET_MIN_LENGTH} characters`,
);

export const httpUrl = address(["http:", "https:"], "must be an address such as http://127.0.0.1:8090");

export const onOrOff = z.enum(["on", "off"], "must be on or off");

export const CLOUDFLARE_COUNTRY_HEADER = "cf-ipcountry";
/** The headers with the country of well-known proxies. In Fastly the owner of the service sets it. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ["cloudflare", CLOUDFLARE_COUNTRY_HEADER],
  ["cloudfront", "cloudfront-viewer-country"],
  ["fastly", "x-fastly-country-code"],
  ["google", "x-appengine-country"],
  ["vercel", "x-vercel-ip-country"],
]);
export const WELL_KNOWN_COUNTRY_HEADERS: readonly string[] = [...WELL_KNOWN.values()];

/** The name of a proxy or a header; nginx drops headers with an underscore. The result is in lower case, as Node has it. */
export const countryHeader = z.pipe(
  text(
    (value) => /^[A-Za-z\d-]{1,60}$/.test(value),
    `must be ${[...WELL_KNOWN.keys()].join(", ")} or the name of a header such as CF-IPCountry`,
  ),
  z.transform((name: string) => WELL_KNOWN.get(name.toLowerCase()) ?? name.toLowerCase()),
);

function json<Value>(schema: z.ZodMiniType<Value>, reason: string) {
  const parsed = z.transform((value: string, { issues }) => {
    try {
      return z.parse(schema, JSON.parse(value));
    } catch {
      issues.push({ code: "custom", message: reason, input: value });
      return z.NEVER;
    }
  });
  return z.pipe(z.string(), parsed);
}

export const webConfig = json(z.record(z.string(), z.string()), "must be a JSON object whose values are strings");

/** The operator's Associates tags; stores without one are not queried. */
export type PartnerTags = Partial<Record<Marketplace, string>>;

export const partnerTags = json<PartnerTags>(
  z.partialRecord(z.enum(Object.keys(MARKETPLACES).filter(isMarketplace)), z.string().check(z.regex(/^[\w.-]{1,64}$/))),
  'must be JSON of tags by store, such as {"com":"me-20","ca":"me0c-20"}',
);

/** Client addresses are personal data: they are logged only while an incident is investigated. */
const MAX_LOGGED_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1_000;
const TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

/** A past time is valid, so that a program can restart with an old setting. */
function isWithin(value: string, days: number): boolean {
  const time = TIME_PATTERN.test(value) ? Date.parse(value) : Number.NaN;
  return time - Date.now() <= days * DAY_MS;
}

/** In milliseconds since 1970. */
export const addressesLoggedUntil = z.pipe(
  text(
    (value) => isWithin(value, MAX_LOGGED_DAYS),
    `must be a time such as 2026-11-22T00:00Z, at most ${MAX_LOGGED_DAYS} days ahead`,
  ),
  z.transform((value: string) => Date.parse(value)),
);

export const tokenUntil = z.pipe(
  text((value) => {
    const [time = "", token = "", ...more] = value.split(",");
    return isWithin(time, 1) && token.length >= SECRET_MIN_LENGTH && more.length === 0;
  }, `must be a time such as 2026-11-22T18:00Z, at most 24 hours ahead, a comma and a random text of at least ${SECRET_MIN_LENGTH} characters`),
  z.transform((value: string) => {
    const [time = "", token = ""] = value.split(",");
    return { token, untilMs: Date.parse(time) };
  }),
);
export type TokenUntil = z.infer<typeof tokenUntil>;
