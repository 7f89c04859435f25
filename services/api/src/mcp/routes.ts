import { actAs } from "@tapthru/core/platform/actor";
import { malformedBody } from "@tapthru/proto/general-errors";
import { MCP_PATH } from "@tapthru/proto/mcp";
import type { Context } from "koa";
import type { Api } from "../api.ts";
import { requestActor } from "../callers/request-actor.ts";
import type { ApiRouter } from "../calls/handlers.ts";
import { ApiError } from "../http/errors.ts";
import { createJsonReader } from "../http/read-json.ts";
import { countCaller } from "../http/shed-load.ts";
import { serveMessage } from "./serve-message.ts";
import { mcpTools } from "./tools.ts";

/** The Model Context Protocol over Streamable HTTP: each request is one message. */
export function mcpRoutes(router: ApiRouter, api: Api) {
  const tools = mcpTools(api);
  const readJson = createJsonReader();

  router.allowKeys("POST", MCP_PATH);
  router.post(MCP_PATH, async (ctx: Context) => {
    const caller = await api.requiredKey(ctx);
    const message = await ctx.state.whileWaiting(() => readJson(ctx));
    if (Array.isArray(message)) {
      throw new ApiError(malformedBody, { message: "Please send one message, not a list." });
    }
    await countCaller(ctx, caller);
    const response = await actAs(requestActor(ctx, caller, "editor"), () =>
      serveMessage(ctx, { tools, caller, message }),
    );
    ctx.status = response.status;
    ctx.body = await response.text();
    ctx.set("Content-Type", response.headers.get("content-type") ?? "text/plain");
  });
}
