import type { Header } from "../call-documentation.ts";
import { LIMIT_HEADERS, RETRY_HEADERS } from "../reply-headers.ts";

const describe = (header: Header, required: boolean) => ({
  ...header,
  required,
  schema: { type: "string" },
});

/** Headers of many replies, by name. */
export const HEADERS = {
  "X-Request-Id": describe(
    {
      description: "Names the request. Mention it when you report a problem.",
      example: "4f1d0c6b2a9e4d53b1c7f0a8e6d25c31",
    },
    true,
  ),
  "Cache-Control": describe(
    {
      description: "Replies are for the caller alone and must not be stored.",
      example: "no-store",
    },
    true,
  ),
  "RateLimit-Policy": describe(LIMIT_HEADERS["RateLimit-Policy"], false),
  RateLimit: describe(LIMIT_HEADERS.RateLimit, false),
  "Retry-After": describe(RETRY_HEADERS["Retry-After"], true),
  "WWW-Authenticate": describe(
    {
      description: "How to authenticate (RFC 9110): with a token or an API key.",
      example: "Bearer",
    },
    true,
  ),
};

/** Headers of all replies. */
export const COMMON_HEADERS = [
  "X-Request-Id",
  "Cache-Control",
  "RateLimit-Policy",
  "RateLimit",
] as const;

export function headerReferences(names: readonly (keyof typeof HEADERS)[]) {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}
