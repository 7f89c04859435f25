import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { messages } from "@tapthru/proto/rules/messages";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import type { Context } from "koa";

/** A text that is the same for all callers until the next release. */
export class CacheableReply {
  readonly #type: string;
  readonly #text: string;
  readonly #headers: Record<string, string>;

  constructor(type: string, text: string, headers: Record<string, string> = {}) {
    this.#type = type;
    this.#text = text;
    this.#headers = {
      ...headers,
      "Cache-Control": "public, max-age=300",
      ETag: `"${hash("sha256", text, "base64url").slice(0, 22)}"`,
    };
  }

  /** Responds 304 to a client that has the text. */
  send(ctx: Context): void {
    ctx.status = 200;
    ctx.set(this.#headers);
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = this.#type;
    ctx.body = this.#text;
  }
}

export const REFERENCE_PATH = "/api/docs";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Files of the page, by the last segment of their path: Swagger UI and what starts it. */
const FILES = {
  "swagger-ui.css": import.meta.resolve("swagger-ui-dist/swagger-ui.css"),
  "reference.css": new URL("assets/reference.css", import.meta.url),
  "swagger-ui-bundle.js": import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"),
  "start.js": new URL("assets/start.js", import.meta.url),
};

type ReferenceFile = keyof typeof FILES;

export function isReferenceFile(name: string): name is ReferenceFile {
  return Object.hasOwn(FILES, name);
}

export async function readReferenceFile(name: ReferenceFile): Promise<CacheableReply> {
  const type = name.endsWith(".css") ? "text/css" : "text/javascript";
  return new CacheableReply(type, await readFile(new URL(FILES[name]), "utf8"));
}

/** The page that shows the OpenAPI document. */
export function referencePage(productName: string): CacheableReply {
  const title = escapeHtml(messages.apiReference(productName));
  const elements = Object.keys(FILES).map((name) =>
    name.endsWith(".css")
      ? `<link rel="stylesheet" href="${REFERENCE_PATH}/${name}">`
      : `<script defer src="${REFERENCE_PATH}/${name}"></script>`,
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
${elements.join("\n")}
</head>
<body>
<main id="reference"></main>
<noscript><p>${escapeHtml(messages.apiReferenceNeedsScripts)} <a href="/api/openapi.json">openapi.json</a></p></noscript>
</body>
</html>
`;
  return new CacheableReply("text/html", html, { "Content-Security-Policy": POLICY });
}
