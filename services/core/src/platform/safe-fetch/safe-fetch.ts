import { isUtf8 } from "node:buffer";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { findShortHost, findStore } from "@tapthru/proto/rules/amazon/hosts";
import { FETCH_DEADLINE_MS, FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { isPublicHostName } from "@tapthru/proto/rules/webhooks";
import { type Dispatcher, errors } from "undici";
import { standInUrlError } from "./address.ts";
import { internetClient, type OpenClient, standInClient } from "./client.ts";
import { SafeFetchError } from "./errors.ts";

const ACCEPTED_ENCODINGS = "gzip, deflate, br";

interface BodyPrefix {
  bytes: Buffer;
  /** The body was longer, was cut off, or did not arrive in time. */
  truncated: boolean;
}

/** Decompresses and reads the body as far as it arrived, at most 2 MiB. */
export async function readBody(stream: Readable, encoding: string | null): Promise<BodyPrefix> {
  const chunks: Buffer[] = [];
  let remainingBytes = FETCH_MAX_BYTES;
  const decompressed = decompress(stream, encoding);
  try {
    for await (const chunk of decompressed as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, remainingBytes));
      if (chunk.length > remainingBytes) return { bytes: Buffer.concat(chunks), truncated: true };
      remainingBytes -= chunk.length;
    }
  } catch {
    return { bytes: Buffer.concat(chunks), truncated: true };
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}

function decompress(stream: Readable, encoding: string | null): Readable {
  switch (encoding?.trim().toLowerCase() ?? "identity") {
    case "identity":
      return stream;
    case "gzip":
    case "x-gzip":
      return pipeline(stream, createGunzip(), ignore);
    case "deflate":
      return pipeline(stream, createInflate(), ignore);
    case "br":
      return pipeline(stream, createBrotliDecompress(), ignore);
    default:
      throw new SafeFetchError("bad-response");
  }
}

/** `pipeline` requires a callback. The reader receives errors from the stream itself. */
function ignore() {}

const CREATORS_API_HOSTS: ReadonlySet<string> = new Set([
  "creatorsapi.amazon",
  "api.amazon.com",
  "api.amazon.co.uk",
  "api.amazon.co.jp",
]);

const IS_ALLOWED_HOST = {
  store: (host) => findStore(host) !== null,
  short: (host) => findShortHost(host) !== null,
  "creators-api": (host) => CREATORS_API_HOSTS.has(host),
  "exchange-rates": (host) => host === "www.ecb.europa.eu",
  "login-with-amazon": (host) => host === "api.amazon.com",
  // Chosen by users. An address in numbers would be connected to without a look-up, and so without its check.
  webhook: isPublicHostName,
  domain: isPublicHostName,
} satisfies Record<string, (host: string) => boolean>;

export type Purpose = keyof typeof IS_ALLOWED_HOST;

/** Returns true if requests for the purpose may be sent to this address, before its host is looked up. */
function isAllowedUrl(url: URL, purpose: Purpose): boolean {
  return (
    url.protocol === "https:" &&
    url.port === "" &&
    url.username === "" &&
    url.password === "" &&
    IS_ALLOWED_HOST[purpose](url.hostname)
  );
}

const NO_BODY: BodyPrefix = { bytes: Buffer.alloc(0), truncated: false };

type SentHeader =
  | "accept"
  | "authorization"
  | "content-type"
  | "webhook-id"
  | "webhook-signature"
  | "webhook-timestamp"
  | "x-marketplace";

export interface SafeFetchRequest {
  url: string;
  purpose: Purpose;
  method?: "GET" | "POST";
  /** Headers in addition to the default ones. Errors contain neither headers nor body. */
  headers?: Readonly<Partial<Record<SentHeader, string>>>;
  body?: string;
  /** Whether to read the body; "prefix": also one that is cut. Otherwise the connection is closed after the headers. */
  withBody?: boolean | "prefix";
  deadline?: AbortSignal;
}

export interface SafeFetchResponse {
  status: number;
  /** The Location header of a redirect, unchanged; null if missing, repeated or not UTF-8, and for other statuses. */
  location: string | null;
  contentType: string | null;
  retryAfter: string | null;
  body: BodyPrefix;
}

/** Follows no redirect: each hop is a separate request with the same checks. @throws only SafeFetchError */
export type SafeFetch = (request: SafeFetchRequest) => Promise<SafeFetchResponse>;

export interface SafeFetchConfig {
  /** EGRESS_STAND_IN_URL, or null for the internet. */
  standInUrl: string | null;
  /** Product name and contact, for the User-Agent; non-ASCII characters are percent-encoded. */
  userAgent: string;
  /** Look-up, connection, headers and body together; 5 s by default. */
  deadlineMs?: number;
}

/** Creates the only function that sends requests to the internet. */
export function createSafeFetch(config: SafeFetchConfig): SafeFetch {
  const { standInUrl, userAgent, deadlineMs } = config;
  if (standInUrl === null) return createGuardedFetch(internetClient(), userAgent, deadlineMs);
  const urlError = standInUrlError(standInUrl, "demo");
  if (urlError !== null) throw new TypeError(`EGRESS_STAND_IN_URL ${urlError}`);
  return createGuardedFetch(standInClient(standInUrl), userAgent, deadlineMs);
}

export function createGuardedFetch(
  openClient: OpenClient,
  userAgent: string,
  deadlineMs = FETCH_DEADLINE_MS,
  isAllowed = isAllowedUrl,
): SafeFetch {
  const userAgentHeader = userAgent.replace(/[^\x20-\x7e]+/g, encodeURIComponent);
  return async ({ url: text, purpose, withBody = false, deadline, ...request }) => {
    const url = URL.parse(text);
    if (url === null || !isAllowed(url, purpose)) throw new SafeFetchError("refused-url");
    const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(deadline === undefined ? [] : [deadline])]);
    const client = openClient(url);
    // undici does not abort a connection that is still being established.
    const abort = () => void client.destroy();
    signal.addEventListener("abort", abort, { once: true });
    try {
      signal.throwIfAborted();
      const response = await client.request({
        method: request.method ?? "GET",
        path: `${url.pathname}${url.search}`,
        headers: {
          host: url.host,
          "user-agent": userAgentHeader,
          accept: "text/html,*/*;q=0.8",
          "accept-encoding": ACCEPTED_ENCODINGS,
          ...request.headers,
        },
        body: request.body ?? null,
      });
      return await readResponse(response, withBody);
    } catch (error) {
      throw toSafeFetchError(error, signal);
    } finally {
      signal.removeEventListener("abort", abort);
      abort();
    }
  };
}

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function readResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  withBody: boolean | "prefix",
): Promise<SafeFetchResponse> {
  const read = withBody === false ? NO_BODY : await readBody(body, single(headers["content-encoding"]));
  if (read.truncated && withBody !== "prefix") throw new SafeFetchError("bad-response");
  return {
    status: statusCode,
    location: REDIRECT_STATUSES.has(statusCode) ? utf8(headers.location) : null,
    contentType: single(headers["content-type"]),
    retryAfter: single(headers["retry-after"]),
    body: read,
  };
}

function single(header: string | string[] | undefined): string | null {
  return typeof header === "string" ? header : null;
}

/** undici decodes headers as Latin-1; hosts that send non-ASCII characters send UTF-8. */
function utf8(header: string | string[] | undefined): string | null {
  const bytes = Buffer.from(single(header) ?? "", "latin1");
  return bytes.length > 0 && isUtf8(bytes) ? bytes.toString() : null;
}

function toSafeFetchError(error: unknown, signal: AbortSignal): SafeFetchError {
  if (error instanceof SafeFetchError) return error;
  if (signal.aborted) return new SafeFetchError("timeout");
  const unreadable = error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
  return new SafeFetchError(unreadable ? "bad-response" : "unreachable");
}

export function userAgentFor(settings: {
  PRODUCT_NAME: string;
  PUBLIC_BASE_URL: string;
  CONTACT_EMAIL: string;
}): string {
  const { PRODUCT_NAME, PUBLIC_BASE_URL, CONTACT_EMAIL } = settings;
  return `${PRODUCT_NAME}/1.0 (+${PUBLIC_BASE_URL}; ${CONTACT_EMAIL})`;
}
