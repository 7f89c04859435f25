import { Router } from "@koa/router";
import Koa from "koa";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { ClaimCookie } from "./http/claim-cookie.ts";
import { errorReplies } from "./http/error-replies.ts";
import { ownOrigin } from "./http/own-origin.ts";
import { replyHeaders } from "./http/reply-headers.ts";
import { requestContext } from "./http/request-context.ts";
import { unrouted } from "./http/unrouted.ts";
import type { GenerateNeeds } from "./links/generate-link.ts";
import { linkRoutes } from "./links/routes.ts";
import type { MetadataNeeds } from "./metadata/find-metadata.ts";
import { metadataRoutes } from "./metadata/routes.ts";
import { resolveRoutes } from "./resolve/routes.ts";
import { visitorRoutes } from "./visitor/routes.ts";

export interface AppNeeds extends GenerateNeeds, MetadataNeeds {
  db: GenerateNeeds["db"];
  trustedProxies: readonly string[];
  logger: Logger;
  registry: Registry;
}

/** The api without a listener. */
export function createApp(needs: AppNeeds): Koa {
  const router = new Router();
  const claimCookie = new ClaimCookie(needs.publicBaseUrl);
  linkRoutes(router, { ...needs, claimCookie });
  metadataRoutes(router, needs);
  resolveRoutes(router, needs);
  visitorRoutes(router, { claimCookie });

  const app = new Koa();
  // Koa marks what came too late to be answered: the client had gone.
  app.on("error", (err: object) => {
    const level = "headerSent" in err ? "debug" : "error";
    needs.logger[level]({ err }, "no answer reached the client");
  });
  app.use(requestContext(needs.logger, needs.registry));
  app.use(replyHeaders);
  app.use(errorReplies);
  app.use(ownOrigin(needs.publicBaseUrl));
  app.use(unrouted);
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}
