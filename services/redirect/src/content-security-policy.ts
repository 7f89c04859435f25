import { createHash } from "node:crypto";

/**
 * A Content-Security-Policy that lets a page have just its own inline style and script, by their
 * hashes, and nothing from anywhere. A script may report to its own site.
 */
export function contentSecurityPolicy(inline: { style?: string; script?: string }): string {
  const directives = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Firefox fetches /favicon.ico under the page's policy.
    "img-src 'self'",
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
