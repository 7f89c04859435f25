import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import { actAs } from "@tapthru/core/platform/actor";
import { malformedBody } from "@tapthru/proto/general-errors";
import { MCP_PATH, OAUTH_ROUTES } from "@tapthru/proto/mcp";
import type { Context } from "koa";
import type { Api } from "../api.ts";
import type { Caller } from "../callers/guards.ts";
import type { ApiRouter } from "../callers/handlers.ts";
import { requestActor } from "../callers/request-actor.ts";
import { logAsApiError } from "../http/error-replies.ts";
import { ApiError } from "../http/errors.ts";
import { createJsonReader } from "../http/read-json.ts";
import { countCaller } from "../http/shed-load.ts";
import type { Tool } from "./tool.ts";
import { mcpTools } from "./tools.ts";

export function mcpRoutes(router: ApiRouter, api: Api) {
  const tools = mcpTools(api);
  const readJson = createJsonReader();

  router.allowKeys("POST", MCP_PATH);
  router.post(MCP_PATH, async (ctx: Context) => {
    ctx.state.challenge = `Bearer resource_metadata="${api.publicBaseUrl}${OAUTH_ROUTES.resourceOfMcp.path}"`;
    const caller = await api.requiredKey(ctx);
    const message = await ctx.state.releaseSlotDuring(() => readJson(ctx));
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

/** A change of the tools is not a change of it: clients read them again. */
const SERVER = { name: "tapthru", title: "Tapthru", version: "1" };

const INSTRUCTIONS =
  "Creates and manages short links to Amazon for the user whose API key is sent, and counts their clicks.";

/** Headers that the protocol defines. Credentials and cookies stay outside. */
const PROTOCOL_HEADER = /^(accept|content-type|mcp-.+)$/;

/**
 * Responds to one message. Nothing is kept between messages: revisions of the protocol since 2026-07-28 have no sessions,
 * and earlier ones allow it.
 * @throws Error if the message could not be processed although it is valid
 */
async function serveMessage(
  ctx: Context,
  { tools, caller, message }: { tools: readonly Tool[]; caller: Caller; message: unknown },
): Promise<Response> {
  let lastError: Error | undefined;
  const handler = createMcpHandler(() => createServer(ctx, tools, caller), {
    // The tools never change while the process runs, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => {
      lastError = error;
    },
  });
  const request = new Request(ctx.URL, { method: "POST", headers: protocolHeaders(ctx) });
  const response = await handler.fetch(request, { parsedBody: message });
  if (response.status >= 500) throw lastError ?? new Error("The message could not be processed");
  return response;
}

function protocolHeaders(ctx: Context): Headers {
  const headers = Object.entries(ctx.req.headersDistinct);
  return new Headers(
    headers.flatMap(([name, values = []]) =>
      PROTOCOL_HEADER.test(name) ? values.map((value): [string, string] => [name, value]) : [],
    ),
  );
}

function createServer(ctx: Context, tools: readonly Tool[], caller: Caller): Server {
  const server = new Server(SERVER, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler("tools/list", () => ({
    tools: tools.map(({ definition }) => definition),
  }));
  server.setRequestHandler("tools/call", async ({ params }): Promise<CallToolResult> => {
    const tool = tools.find(({ definition }) => definition.name === params.name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    }
    try {
      const structuredContent = await tool.call({ ctx, caller }, params.arguments);
      return { content: [text(JSON.stringify(structuredContent))], structuredContent };
    } catch (error) {
      return { content: [text(logAsApiError(ctx, error).message)], isError: true };
    }
  });
  return server;
}

const text = (content: string) => ({ type: "text" as const, text: content });
