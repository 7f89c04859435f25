import type { Router } from "@koa/router";
import { createDocument, type DocumentSettings } from "@tapthru/proto/openapi/document";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import type { Guard } from "../http/guards.ts";
import {
  CacheableReply,
  isReferenceFile,
  REFERENCE_PATH,
  readReferenceFile,
  referencePage,
} from "./reference-page.ts";

export interface ReferenceRoutesDependencies {
  documentSettings: DocumentSettings;
  publicAccess: Guard<void>;
}

/** The OpenAPI document and the page that shows it. Both are created when they are first requested. */
export function referenceRoutes(router: Router, deps: ReferenceRoutesDependencies) {
  const { documentSettings, publicAccess } = deps;

  const serve = (path: string, create: () => CacheableReply) => {
    let reply: CacheableReply | null = null;
    router.get(path, async (ctx: Context) => {
      await publicAccess(ctx);
      reply ??= create();
      reply.send(ctx);
    });
  };

  serve(
    "/api/openapi.json",
    () => new CacheableReply("application/json", JSON.stringify(createDocument(documentSettings))),
  );
  serve(REFERENCE_PATH, () => referencePage(documentSettings.productName));

  const files = new Map<string, CacheableReply>();
  router.get(`${REFERENCE_PATH}/:file`, async (ctx: Context) => {
    await publicAccess(ctx);
    const name = ctx.params.file;
    if (!isReferenceFile(name)) throw new ApiError("not-found");
    const file = files.get(name) ?? (await readReferenceFile(name));
    files.set(name, file);
    file.send(ctx);
  });
}
