import { createHash } from "node:crypto";

/**
 * A Content-Security-Policy that allows only the page's inline style and script, by their hashes, and images of the hosts. A script may also
 * send requests to its own origin.
 */
export function contentSecurityPolicy(inline: {
  style?: string;
  script?: string;
  imageHosts?: readonly string[];
}): string {
  const directives = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Firefox applies the page's policy to /favicon.ico.
    ["img-src 'self'", ...(inline.imageHosts ?? [])].join(" "),
  ];
  if (inline.style !== undefined) directives.push(`style-src ${hashSource(inline.style)}`);
  if (inline.script !== undefined) {
    directives.push(`script-src ${hashSource(inline.script)}`, "connect-src 'self'");
  }
  return directives.join("; ");
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
