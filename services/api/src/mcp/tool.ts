import type { Tool as ToolDefinition } from "@modelcontextprotocol/server";
import { invalidBody } from "@tapthru/proto/general-errors";
import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import type { Context } from "koa";
import * as z from "zod/mini";
import { requireRole } from "../callers/acting.ts";
import type { Caller } from "../callers/guards.ts";
import { requireScope } from "../callers/key-access.ts";
import { parseInput } from "../http/parse-input.ts";

interface ToolRequest {
  ctx: Context;
  caller: Caller;
}

export interface Tool {
  definition: ToolDefinition;
  /** @throws ApiError if the input is invalid, the scope is missing or the tool fails */
  call(request: ToolRequest, input: unknown): Promise<Record<string, unknown>>;
}

interface ToolOptions<Input extends z.ZodMiniType, Output extends z.ZodMiniObject> {
  name: string;
  title: string;
  description: string;
  scope: ApiKeyScope;
  /** By default it reads what this service stores. */
  annotations?: NonNullable<ToolDefinition["annotations"]>;
  input: Input;
  output: Output;
  run(request: ToolRequest, input: z.output<Input>): Promise<z.input<Output>>;
}

/** The input is validated before `run`, with the messages of the api; unknown fields are removed from the output. */
export function defineTool<Input extends z.ZodMiniType, Output extends z.ZodMiniObject>(
  options: ToolOptions<Input, Output>,
): Tool {
  const { name, title, description, scope, input, output, run } = options;
  const { annotations = { readOnlyHint: true, openWorldHint: false } } = options;
  const inputSchema = z.toJSONSchema(input, { io: "input" });
  const outputSchema = z.toJSONSchema(output);
  const definition = { name, title, description, annotations, inputSchema, outputSchema };
  return {
    definition: definition as ToolDefinition,
    async call(request, args) {
      requireScope(request.caller.scopes, scope);
      requireRole(request.caller, scope.endsWith(":read") ? "viewer" : "editor");
      const result = await run(request, parseInput(input, args ?? {}, invalidBody));
      return z.parse(output, result);
    },
  };
}
