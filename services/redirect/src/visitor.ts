import type { IncomingHttpHeaders } from "node:http";
import { type Device, deviceFrom } from "./device.ts";

export interface Visitor {
  device: Device;
  /** The browser fetched ahead of a tap that may never come. */
  isPrefetch: boolean;
  /** The raw query of the request, without its question mark. */
  query: string;
}

export function visitorFrom(headers: IncomingHttpHeaders, url: string): Visitor {
  const queryAt = url.indexOf("?");
  return {
    device: deviceFrom(headers["user-agent"] ?? ""),
    isPrefetch: isPrefetch(headers),
    query: queryAt === -1 ? "" : url.slice(queryAt + 1),
  };
}

/** `Sec-Purpose` is today's word; Chrome's links, Firefox before 115 and old Safari had their own. */
function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return (
    startsWith(headers["sec-purpose"], "prefetch") ||
    startsWith(headers.purpose, "prefetch") ||
    startsWith(headers["x-moz"], "prefetch") ||
    startsWith(headers["x-purpose"], "preview")
  );
}

function startsWith(header: string | string[] | undefined, word: string): boolean {
  return typeof header === "string" && header.toLowerCase().startsWith(word);
}
