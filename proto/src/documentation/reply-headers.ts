import type { Header } from "./call-documentation.ts";

/** Headers of replies to requests that a limit counted, also of errors. */
export const LIMIT_HEADERS: Readonly<Record<"RateLimit-Policy" | "RateLimit", Header>> = {
  "RateLimit-Policy": {
    description:
      "The limits that counted this request, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers-10): `q` requests in `w` seconds. `…-address` counts all requests of the network address, `…-caller` those of the API key (`apiKey-caller`), of the user, or of the browser without a user. Absent if nothing was counted.",
    example:
      '"otherApi-address";q=600;w=60, "apiKey-caller";q=300;w=60, "otherApi-caller";q=600;w=60',
  },
  RateLimit: {
    description:
      "The state of these limits: `r` requests remain, and the count starts again in `t` seconds.",
    example:
      '"otherApi-address";r=599;t=60, "apiKey-caller";r=299;t=60, "otherApi-caller";r=599;t=60',
  },
};

/** Header of replies with 429 and 503. */
export const RETRY_HEADERS: Readonly<Record<"Retry-After", Header>> = {
  "Retry-After": { description: "The seconds to wait before the next request.", example: "5" },
};
