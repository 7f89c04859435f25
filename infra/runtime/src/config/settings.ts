import ipaddr from "ipaddr.js";
import * as z from "zod/mini";
import { redisAddressError } from "../redis/address.ts";

function text(holds: (value: string) => boolean, reason: string) {
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

/** An http(s) origin, without a trailing slash. */
export const origin = text(
  isOrigin,
  "must be an address such as https://go.example, without a path",
);

const portText = text(
  (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535,
  "must be a port from 1 to 65535",
);
const port = z.pipe(portText, z.transform(Number));

export function portWithDefault(standard: number) {
  return z._default(port, standard);
}

/** The SSL modes that slonik and pg share. Both verify with `require`; slonik has no `verify-full`. */
const TLS_MODES = [undefined, "disable", "no-verify", "require"];

function hasKnownTls(value: string): boolean {
  const { sslmode, sslrootcert } = Object.fromEntries(URL.parse(value)?.searchParams ?? []);
  return TLS_MODES.includes(sslmode) && sslrootcert === undefined;
}

export const postgresUrl = address(
  ["postgres:", "postgresql:"],
  "must be an address such as postgres://user:password@host:5432/database",
).check(
  z.refine(
    hasKnownTls,
    "takes disable, no-verify or require as sslmode, and a CA by NODE_EXTRA_CA_CERTS",
  ),
);

const CLICKHOUSE_REASON = "must be an address such as http://user:password@host:8123/database";

/** One server, a cluster or sentinels. */
export const redisUrl = z.string().check(({ value, issues }) => {
  const message = redisAddressError(value);
  if (message !== null) issues.push({ code: "custom", message, input: value });
});

/** Without a path. Options of nodemailer may follow as a query. */
export const smtpUrl = text((value) => {
  const url = URL.parse(value);
  return (
    /^smtps?:$/.test(url?.protocol ?? "") &&
    url?.hostname !== "" &&
    /^\/?$/.test(url?.pathname ?? "")
  );
}, "must be an address such as smtps://user:password@host:465");

/** An email address without a name. */
export const mailAddress = text(
  (value) => /^[^\s@<>",;:()[\]\\]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(value),
  "must be an email address",
);

function namesDatabase(value: string): boolean {
  return /^\/[A-Za-z_]\w*$/.test(URL.parse(value)?.pathname ?? "");
}

export const clickHouseUrl = address(["http:", "https:"], CLICKHOUSE_REASON).check(
  z.refine(namesDatabase, CLICKHOUSE_REASON),
);

const PROXY_RANGES = ["loopback", "linklocal", "uniquelocal"] as const;
export type ProxyRange = (typeof PROXY_RANGES)[number];

function isProxy(value: string): boolean {
  const isRange = PROXY_RANGES.some((range) => range === value);
  return isRange || ipaddr.isValid(value) || ipaddr.isValidCIDR(value);
}

/** Named ranges, addresses and CIDR blocks, as Fastify's trustProxy accepts them. */
export const trustedProxies = listOf(
  isProxy,
  `must be a comma-separated list of addresses, CIDR blocks or ${PROXY_RANGES.join(", ")}`,
);

export const hostAndPort = text(
  (value) => /^[\w.-]+:\d{1,5}$/.test(value),
  "must be an address such as 127.0.0.1:9099",
);

const positiveIntegerText = text(
  (value) => /^[1-9]\d{0,8}$/.test(value),
  "must be a whole number from 1 to 999999999",
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

const httpUrl = address(["http:", "https:"], "must be an address such as http://collector:4318");
const shareText = text((value) => Number(value) >= 0 && Number(value) <= 1, "must be from 0 to 1");

/** Whether requests are rate limited. */
export const rateLimits = z._default(z.enum(["on", "off"], "must be on or off"), "on");

/** Whether statements with a name are prepared. */
export const preparedStatements = z._default(z.enum(["on", "off"], "must be on or off"), "on");

/** Settings of traces, with OpenTelemetry's names. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z._default(z.nullable(httpUrl), null),
  OTEL_TRACES_SAMPLER_ARG: z._default(z.pipe(shareText, z.transform(Number)), 1),
};

/** The settings of every service. */
export const commonSettings = {
  TAPTHRU_ENV: z._default(
    z.enum(["local", "demo", "production"], "must be local, demo or production"),
    "production",
  ),
  /** Set by the image. */
  TAPTHRU_VERSION: z._default(z.string(), "unknown"),
  PUBLIC_BASE_URL: z._default(origin, "http://localhost:8080"),
  PRODUCT_NAME: z._default(
    text((value) => value.trim() === value && value.length <= 60, "must be a short name"),
    "Tapthru",
  ),
  CONTACT_EMAIL: z._default(
    text((value) => /^[^\s@]+@[^\s@]+$/.test(value), "must be an email address"),
    "hello@localhost",
  ),
  HOST: z._default(z.string(), "127.0.0.1"),
  LOG_LEVEL: z._default(
    z.enum(
      ["fatal", "error", "warn", "info", "debug", "trace"],
      "must be fatal, error, warn, info, debug or trace",
    ),
    "info",
  ),
  TRUSTED_PROXIES: z._default(trustedProxies, ["loopback"]),
};
