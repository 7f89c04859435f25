import { renewSession } from "./session-access.ts";

export const REQUEST_TIMEOUT_MS = 15_000;

/** A reply that is not OK. The message reads "{status}: {body, else status text}". */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  readonly text: string;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
    this.text = text;
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
export function isWorthRetrying(error: Error): boolean {
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

/** Sends JSON with credentials and gives the reply's JSON. Throws HttpError or NetworkError. */
export async function request(
  method: string,
  path: string,
  { renewsSession = true, ...options }: RequestOptions = {},
): Promise<unknown> {
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
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const place = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const { response, text } = await send(query ? `${place}?${new URLSearchParams(query)}` : place, {
    method,
    credentials: "include",
    headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  if (!response.ok) throw new HttpError(response.status, text || response.statusText);
  return JSON.parse(text);
}

async function send(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (cause) {
    throw new NetworkError(`No reply to ${init.method} ${url}`, { cause });
  }
}
