import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import type { ErrorCode } from "@tapthru/proto/errors";
import { namedAccount } from "../account-address.ts";
import { renewSession } from "../api-auth.ts";

const PROBLEM_TYPE = "application/problem+json";

/** A non-OK response. The message is "{status}: {text}". */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  /** For display only: the problem's title, else the body unless it is HTML, else the status. Code must not compare it. */
  readonly text: string;
  /** Is null if the response is not a problem document of the api, for example an error of a proxy. */
  readonly code: ErrorCode | null;
  /** When the request may be repeated; null if the response does not say so in seconds. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, text: string, code: ErrorCode | null = null, retryAfterSeconds: number | null = null) {
    super(`${status}: ${text}`);
    this.status = status;
    this.text = text;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No complete response was received. Whether the server processed the request is unknown. */
export class NetworkError extends Error {
  override name = "NetworkError";
}

/** The HttpError that is the error or its cause, else null. */
export function httpErrorOf(error: unknown): HttpError | null {
  if (error instanceof HttpError) return error;
  return error instanceof Error && error.cause instanceof HttpError ? error.cause : null;
}

/** The api's refusal of a request, whose text says what the user can do. Null if the request failed. */
export function refusalOf(error: unknown): HttpError | null {
  const refusal = httpErrorOf(error);
  return refusal?.code && refusal.status < 500 ? refusal : null;
}

/** Its message is for the user. */
export class SaidError extends Error {
  override name = "SaidError";
}

/** Says why the api refused the request, or that it failed. */
export const errorText = (error: unknown, failed: string) =>
  error instanceof SaidError ? error.message : (refusalOf(error)?.text ?? failed);

export function isNetworkFailure(error: Error): boolean {
  return error instanceof NetworkError || error.cause instanceof NetworkError;
}

/** For a text that is shown when nothing was loaded, or sent. */
export const unlessOffline = (text: string) =>
  navigator.onLine ? text : "You're offline. Check your internet connection.";

/** Returns true if the same request may succeed later: after a network failure, 429 or 5xx. */
export function isRetryable(error: Error): boolean {
  const status = httpErrorOf(error)?.status;
  return status === undefined ? isNetworkFailure(error) : status === 429 || status >= 500;
}

interface RequestOptions {
  /** Values for the `:name` placeholders in the path. */
  params?: Record<string, string>;
  body?: unknown;
  /** A body that is not JSON. `headers` has its type. */
  file?: Blob;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Covers the complete response. REQUEST_TIMEOUT_MS by default. */
  timeoutMs?: number;
  /** Completes the request even if the page is closed. The body has at most 64 KiB then. */
  keepalive?: boolean;
  /** After a 401, renews the session and repeats the request once. True by default. */
  renewsSession?: boolean;
  /** It is about the user alone, whichever account was chosen. */
  isPersonal?: boolean;
  /** Returns the body as a Blob. */
  asFile?: boolean;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** Parsed JSON, the text of CSV, or the Blob of a file. */
  body: unknown;
}

/** Sends JSON with credentials and returns the response. Throws HttpError or NetworkError. */
export async function request(
  method: string,
  path: string,
  { renewsSession = true, ...options }: RequestOptions = {},
): Promise<Reply> {
  try {
    return await requestOnce(method, path, options);
  } catch (error) {
    const isSessionLost = error instanceof HttpError && error.status === 401;
    if (!isSessionLost || !renewsSession || !(await renewSession(method !== "GET"))) throw error;
    return requestOnce(method, path, options);
  }
}

async function requestOnce(
  method: string,
  path: string,
  {
    params = {},
    body,
    file,
    query,
    headers,
    signal,
    timeoutMs = REQUEST_TIMEOUT_MS,
    keepalive = false,
    isPersonal = false,
    asFile = false,
  }: Omit<RequestOptions, "renewsSession">,
): Promise<Reply> {
  const account = isPersonal ? null : namedAccount();
  const pathname = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const { response, text, blob } = await send(query ? `${pathname}?${new URLSearchParams(query)}` : pathname, {
    method,
    credentials: "include",
    headers: {
      Accept: `application/json, ${PROBLEM_TYPE}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(account && { [ACCOUNT_HEADER]: String(account) }),
      ...headers,
    },
    body: body === undefined ? (file ?? null) : JSON.stringify(body),
    signal: abortAfter(timeoutMs, signal),
    keepalive,
    asFile,
  });
  if (!response.ok) throw httpError(response, text);
  const isCsv = response.headers.get("Content-Type")?.startsWith("text/csv");
  return {
    status: response.status,
    headers: response.headers,
    body: blob ?? (isCsv ? text : JSON.parse(text)),
  };
}

function httpError({ status, statusText, headers }: Response, text: string): HttpError {
  const problem = headers.get("Content-Type")?.startsWith(PROBLEM_TYPE) ? parseProblem(text) : null;
  const retryAfter = headers.get("Retry-After") ?? "";
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  // A proxy's page. Over HTTP/2 the status has no text.
  const isPage = headers.get("Content-Type")?.startsWith("text/html");
  const shown = (isPage ? "" : text) || statusText || String(status);
  return new HttpError(status, problem?.title ?? shown, problem?.code, seconds);
}

/** Returns null if the text is not a problem document of our api (RFC 9457). */
function parseProblem(text: string): { title: string; code: ErrorCode } | null {
  const { title, code }: Record<string, unknown> = JSON.parse(text);
  // A newer api may send codes unknown to this release. They match no comparison.
  return typeof title === "string" && typeof code === "string" ? { title, code: code as ErrorCode } : null;
}

async function send(url: string, { asFile, ...init }: RequestInit & { asFile: boolean }) {
  try {
    const response = await fetch(url, init);
    if (asFile && response.ok) return { response, text: "", blob: await response.blob() };
    return { response, text: await response.text() };
  } catch (cause) {
    throw new NetworkError(`No response to ${init.method} ${url}`, { cause });
  }
}

export const REQUEST_TIMEOUT_MS = 15_000;

/** Aborts after this time, or earlier with another signal. Safari 16.4 has no AbortSignal.any. */
export function abortAfter(ms: number, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  if (!signal) return timeout;
  const controller = new AbortController();
  for (const source of [signal, timeout]) {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener("abort", abort, { once: true });
  }
  return controller.signal;
}
