import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Router } from "@koa/router";
import { notFound } from "@tapthru/proto/general-errors";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import type { Context } from "koa";
import type { Api } from "../api.ts";
import { ApiError } from "../http/errors.ts";
import { createDocument } from "./openapi/document.ts";

const REFERENCE_PATH = "/api/docs";

const FILES = new Map([
  ["swagger-ui.css", import.meta.resolve("swagger-ui-dist/swagger-ui.css")],
  ["reference.css", new URL("assets/reference.css", import.meta.url).href],
  ["swagger-ui-bundle.js", import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js")],
  ["start.js", new URL("assets/start.js", import.meta.url).href],
]);

export function referenceRoutes(router: Router, { documentSettings, publicAccess }: Api) {
  const texts = new Map<string, { text: string; tag: string }>();

  async function send(
    ctx: Context,
    { name, type, create }: { name: string; type: string; create: () => string | Promise<string> },
  ): Promise<void> {
    let reply = texts.get(name);
    if (reply === undefined) {
      const text = await create();
      reply = { text, tag: `"${hash("sha256", text, "base64url").slice(0, 22)}"` };
      texts.set(name, reply);
    }
    ctx.status = 200;
    ctx.set({ "Cache-Control": "public, max-age=300", ETag: reply.tag });
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = type;
    ctx.body = reply.text;
  }

  router.get("/api/openapi.json", async (ctx: Context) => {
    await publicAccess(ctx);
    const create = () => JSON.stringify(createDocument(documentSettings));
    await send(ctx, { name: "openapi.json", type: "application/json", create });
  });

  router.get(REFERENCE_PATH, async (ctx: Context) => {
    await publicAccess(ctx);
    ctx.set("Content-Security-Policy", POLICY);
    const create = () => referencePage(documentSettings.productName);
    await send(ctx, { name: "page", type: "text/html", create });
  });

  router.get(`${REFERENCE_PATH}/:file`, async (ctx: Context) => {
    await publicAccess(ctx);
    const { file: name } = ctx.params;
    const file = FILES.get(name);
    if (file === undefined) throw new ApiError(notFound);
    const type = name.endsWith(".css") ? "text/css" : "text/javascript";
    await send(ctx, { name, type, create: () => readFile(new URL(file), "utf8") });
  });
}

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

function referencePage(productName: string): string {
  const elements = [...FILES.keys()].map((name) =>
    name.endsWith(".css")
      ? `<link rel="stylesheet" href="${REFERENCE_PATH}/${name}">`
      : `<script defer src="${REFERENCE_PATH}/${name}"></script>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${productName} API`)}</title>
<link rel="icon" href="/favicon.svg">
${elements.join("\n")}
</head>
<body>
<main id="reference"></main>
<noscript><p>This page needs JavaScript. The same in one file: <a href="/api/openapi.json">openapi.json</a></p></noscript>
</body>
</html>
`;
}
