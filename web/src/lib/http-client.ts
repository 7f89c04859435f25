import type { ErrorCode } from "@tapthru/proto/rules/errors";
import { renewSession } from "./session-access.ts";

export const REQUEST_TIMEOUT_MS = 15_000;

const PROBLEM_TYPE = "application/problem+json";

/** A reply that is not OK. The message reads "{status}: {text}". */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  /** One sentence for people: a problem's title, else the body, else the status text. Never compared. */
  readonly text: string;
  /** Null where the reply is not a problem of the api, for example a proxy's own. */
  readonly code: ErrorCode | null;

  constructor(status: number, text: string, code: ErrorCode | null = null) {
    super(`${status}: ${text}`);
    this.status = status;
    this.text = text;
    this.code = code;
  }
}

/** No whole reply came: whether the server did its work is unknown. */
export class NetworkError extends Error {
  override name = "NetworkError";
}

/** Whether no reply was behind this error, so that asking again may help. */
export function isNetworkFailure(error: Error): boolean {
  return error instanceof NetworkError || error.cause instanceof NetworkError;
}

/** Whether the same request may fare better later: no reply came, too many asked, or the server failed. */
export function isRetryable(error: Error): boolean {
  const reason = error instanceof HttpError ? error : error.cause;
  if (!(reason instanceof HttpError)) return isNetworkFailure(error);
  return reason.status === 429 || reason.status >= 500;
}

interface RequestOptions {
  /** The `:name` parts of the path. */
  params?: Record<string, string>;
  body?: unknown;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Until the whole reply is there; REQUEST_TIMEOUT_MS by default. */
  timeoutMs?: number;
  /** Whether a 401 has the session opened again and the request repeated, once. True by default. */
  renewsSession?: boolean;
}

export interface Reply {
  status: number;
  /** Parsed JSON. */
  body: unknown;
}

/** Sends JSON with credentials and returns the JSON reply. Throws HttpError or NetworkError. */
export async function request(
  method: string,
  path: string,
  { renewsSession = true, ...options }: RequestOptions = {},
): Promise<Reply> {
  try {
    return await requestOnce(method, path, options);
  } catch (error) {
    const isSessionLost = error instanceof HttpError && error.status === 401;
    if (!isSessionLost || !renewsSession || !(await renewSession())) throw error;
    return requestOnce(method, path, options);
  }
}

async function requestOnce(
  method: string,
  path: string,
  {
    params = {},
    body,
    query,
    headers,
    signal,
    timeoutMs = REQUEST_TIMEOUT_MS,
  }: Omit<RequestOptions, "renewsSession">,
): Promise<Reply> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const pathname = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const { response, text } = await send(
    query ? `${pathname}?${new URLSearchParams(query)}` : pathname,
    {
      method,
      credentials: "include",
      headers: {
        Accept: `application/json, ${PROBLEM_TYPE}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    },
  );
  if (!response.ok) throw httpError(response, text);
  return { status: response.status, body: JSON.parse(text) };
}

function httpError({ status, statusText, headers }: Response, text: string): HttpError {
  const problem = headers.get("Content-Type")?.startsWith(PROBLEM_TYPE) ? parseProblem(text) : null;
  return new HttpError(status, problem?.title ?? (text || statusText), problem?.code);
}

/** Null where the text is no problem of our api (RFC 9457). */
function parseProblem(text: string): { title: string; code: ErrorCode } | null {
  const { title, code }: Record<string, unknown> = JSON.parse(text);
  // A newer api may have codes that this release does not know: they equal none that it compares with.
  return typeof title === "string" && typeof code === "string"
    ? { title, code: code as ErrorCode }
    : null;
}

async function send(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (cause) {
    throw new NetworkError(`No reply to ${init.method} ${url}`, { cause });
  }
}
