import type { Router } from "@koa/router";
import { actAs } from "@tapthru/core/platform/audit-log";
import { MCP_PATH } from "@tapthru/proto/http/mcp";
import { messages } from "@tapthru/proto/rules/messages";
import type { Context } from "koa";
import type { EarningsDependencies } from "../earnings/earnings-table.ts";
import { ApiError } from "../errors.ts";
import type { Caller, Guard } from "../http/guards.ts";
import { takeCallersTurn } from "../http/mount.ts";
import { createJsonReader } from "../http/read-json.ts";
import { requestActor } from "../http/request-actor.ts";
import { earningsTools } from "./earnings-tools.ts";
import { serveMessage } from "./serve-message.ts";
import {
  type ClickToolsDependencies,
  channelTools,
  clickTools,
  type DomainToolsDependencies,
  domainTools,
  type LinkToolsDependencies,
  linkTools,
} from "./tools.ts";

export type McpRoutesDependencies = LinkToolsDependencies &
  ClickToolsDependencies &
  EarningsDependencies &
  DomainToolsDependencies & { requiredKey: Guard<Caller> };

/** The Model Context Protocol over Streamable HTTP: each request is one message. */
export function mcpRoutes(router: Router, deps: McpRoutesDependencies) {
  const tools = [
    ...linkTools(deps),
    ...clickTools(deps),
    ...earningsTools(deps),
    ...channelTools(deps),
    ...domainTools(deps),
  ];
  const readJson = createJsonReader();

  router.post(MCP_PATH, async (ctx: Context) => {
    const caller = await deps.requiredKey(ctx);
    const message = await ctx.state.whileWaiting(() => readJson(ctx));
    if (Array.isArray(message)) {
      throw new ApiError("malformed-body", { message: messages.oneMessageExpected });
    }
    await takeCallersTurn(ctx, caller);
    const response = await actAs(requestActor(ctx, caller), () =>
      serveMessage(ctx, { tools, caller, message }),
    );
    ctx.status = response.status;
    ctx.body = await response.text();
    ctx.set("Content-Type", response.headers.get("content-type") ?? "text/plain");
  });
}
