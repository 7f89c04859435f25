import { isUtf8 } from "node:buffer";
import { FETCH_DEADLINE_MS } from "@tapthru/proto/rules/limits";
import { type Dispatcher, errors } from "undici";
import { internetClient, type OpenClient, standInClient } from "./client.ts";
import { SafeFetchError } from "./errors.ts";
import { isHostOf, type Purpose } from "./purposes.ts";
import { ACCEPTED_ENCODINGS, type BodyPrefix, readBody } from "./read-body.ts";
import { standInUrlError } from "./stand-in-url.ts";

const NO_BODY: BodyPrefix = { bytes: Buffer.alloc(0), truncated: false };

type SentHeader =
  | "accept"
  | "amazon-advertising-api-clientid"
  | "authorization"
  | "content-type"
  | "x-marketplace";

export interface SafeFetchRequest {
  /** Whole https address of one of the purpose's hosts. */
  url: string;
  purpose: Purpose;
  /** GET where left out. */
  method?: "GET" | "POST";
  /** Beside our own; neither they nor the body are in any error. */
  headers?: Readonly<Partial<Record<SentHeader, string>>>;
  body?: string;
  /** Whether the answer's body is wanted; without it the connection ends with the headers. */
  withBody?: boolean;
  /** Aborts when the caller's own time is up, if that is before 5 s. */
  deadline?: AbortSignal;
}

export interface SafeFetchResponse {
  status: number;
  /** The Location header as it came; null when there is none, more than one, or no UTF-8. */
  location: string | null;
  contentType: string | null;
  body: BodyPrefix;
}

/**
 * Asks once and follows nothing: each hop is a request of its own, checked like the first.
 *
 * @throws SafeFetchError and nothing else
 */
export type SafeFetch = (request: SafeFetchRequest) => Promise<SafeFetchResponse>;

export interface SafeFetchConfig {
  /** EGRESS_STAND_IN_URL, or null for the internet. */
  standInUrl: string | null;
  /** Our own name and how to reach us; what is not ASCII is percent-encoded. */
  userAgent: string;
}

/** The only door to the internet: 5 s for look-up, connection, headers and body together. */
export function createSafeFetch({ standInUrl, userAgent }: SafeFetchConfig): SafeFetch {
  if (standInUrl === null) return createGuardedFetch(internetClient(), userAgent);
  const fault = standInUrlError(standInUrl, "demo");
  if (fault !== null) throw new TypeError(`EGRESS_STAND_IN_URL ${fault}`);
  return createGuardedFetch(standInClient(standInUrl), userAgent);
}

export function createGuardedFetch(
  openClient: OpenClient,
  userAgent: string,
  deadlineMs = FETCH_DEADLINE_MS,
): SafeFetch {
  const ownName = userAgent.replace(/[^\x20-\x7e]+/g, encodeURIComponent);
  return async ({ url: text, purpose, withBody = false, deadline, ...asked }) => {
    const url = allowedUrl(text, purpose);
    const signal = AbortSignal.any([
      AbortSignal.timeout(deadlineMs),
      ...(deadline === undefined ? [] : [deadline]),
    ]);
    const client = openClient(url);
    // undici itself does not give up a connection that is still being made.
    const giveUp = () => void client.destroy();
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      signal.throwIfAborted();
      const response = await client.request({
        method: asked.method ?? "GET",
        path: `${url.pathname}${url.search}`,
        headers: {
          host: url.host,
          "user-agent": ownName,
          accept: "text/html,*/*;q=0.8",
          "accept-encoding": ACCEPTED_ENCODINGS,
          ...asked.headers,
        },
        body: asked.body ?? null,
      });
      return await readAnswer(response, withBody);
    } catch (error) {
      throw toSafeFetchError(error, signal);
    } finally {
      signal.removeEventListener("abort", giveUp);
      giveUp();
    }
  };
}

function allowedUrl(text: string, purpose: Purpose): URL {
  const url = URL.parse(text);
  const allowed =
    url?.protocol === "https:" &&
    url.port === "" &&
    url.username === "" &&
    url.password === "" &&
    isHostOf(purpose, url.hostname);
  if (!allowed) throw new SafeFetchError("refused-url");
  return url;
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  withBody: boolean,
): Promise<SafeFetchResponse> {
  return {
    status: statusCode,
    location: utf8(headers.location),
    contentType: single(headers["content-type"]),
    body: withBody ? await readBody(body, single(headers["content-encoding"])) : NO_BODY,
  };
}

function single(header: string | string[] | undefined): string | null {
  return typeof header === "string" ? header : null;
}

/** undici hands headers over as Latin-1; hosts that write more than ASCII mean UTF-8. */
function utf8(header: string | string[] | undefined): string | null {
  const bytes = Buffer.from(single(header) ?? "", "latin1");
  return bytes.length > 0 && isUtf8(bytes) ? bytes.toString() : null;
}

function toSafeFetchError(error: unknown, signal: AbortSignal): SafeFetchError {
  if (error instanceof SafeFetchError) return error;
  if (signal.aborted) return new SafeFetchError("timeout");
  const unreadable =
    error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
  return new SafeFetchError(unreadable ? "bad-answer" : "unreachable");
}
