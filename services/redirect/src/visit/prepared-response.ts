import type { ServerResponse } from "node:http";

const COMMON_HEADERS = [
  "cache-control",
  "no-store",
  "referrer-policy",
  "strict-origin-when-cross-origin",
  "x-content-type-options",
  "nosniff",
  "x-robots-tag",
  "noindex",
] as const;

/** A whole response, which can be sent more than once. */
export interface PreparedResponse {
  status: number;
  /** Names and values in alternation, as `writeHead` takes them. */
  headers: string[];
  /** Each character is a byte. Node.js sends such a string with the headers in one write, and would encode others each time. */
  body: string;
}

export function redirectTo(location: string): PreparedResponse {
  const headers = [...COMMON_HEADERS, "location", location, "content-length", "0"];
  return { status: 302, headers, body: "" };
}

/** @param headers more names and values in alternation */
export function htmlPage(
  status: number,
  policy: string,
  html: string,
  headers: readonly string[] = [],
): PreparedResponse {
  const bytes = Buffer.from(html);
  return {
    status,
    headers: [
      ...COMMON_HEADERS,
      "content-security-policy",
      policy,
      "content-type",
      "text/html; charset=utf-8",
      "content-length",
      String(bytes.length),
      ...headers,
    ],
    body: bytes.toString("latin1"),
  };
}

/**
 * Sends a response without Fastify, which handles each header by itself and costs more than the rest of a redirect. For
 * HEAD, Node.js omits the body.
 */
export function sendPrepared(response: ServerResponse, { status, headers, body }: PreparedResponse): void {
  response.writeHead(status, headers).end(body, "latin1");
}
