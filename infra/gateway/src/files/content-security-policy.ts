import { createHash } from "node:crypto";
import { IMAGE_HOSTS } from "@tapthru/proto/rules/amazon/images";
import type { GatewaySettings } from "../settings.ts";

const FIREBASE_HOSTS = ["https://identitytoolkit.googleapis.com", "https://securetoken.googleapis.com"];

type Identity = Pick<GatewaySettings, "FIREBASE_WEB_CONFIG" | "OIDC_ISSUER" | "OIDC_ICON">;

/** Policy of the SPA. Its inline scripts, which are the same in all pages, are allowed by hash. */
export function spaPolicy(indexHtml: string, settings: Identity): string {
  const { FIREBASE_WEB_CONFIG, OIDC_ISSUER, OIDC_ICON } = settings;
  const images = IMAGE_HOSTS.map((host) => `https://${host}`);
  if (OIDC_ISSUER !== null && OIDC_ICON !== null) images.push(new URL(OIDC_ICON).origin);
  return policy({
    "default-src": ["'none'"],
    "script-src": ["'self'", ...inlineScripts(indexHtml).map(hashSource)],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:", ...images],
    "font-src": ["'self'"],
    "media-src": ["'self'"],
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "connect-src": ["'self'", ...(FIREBASE_WEB_CONFIG === null ? [] : FIREBASE_HOSTS)],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  });
}

/** Policy of a page without scripts and with one inline style. */
export function staticPagePolicy(style: string): string {
  return policy({
    "default-src": ["'none'"],
    "style-src": [hashSource(style)],
    "img-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
}

/** Policy of responses that are not pages. */
export const DATA_POLICY: string = policy({
  "default-src": ["'none'"],
  "frame-ancestors": ["'none'"],
});

function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)]
    .filter(([, attributes = ""]) => !/\b(src|type)\s*=/i.test(attributes))
    .map(([, , script = ""]) => script);
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function policy(directives: Record<string, string[]>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}
