import { credentialsOf, type DocumentedCall } from "@tapthru/proto/call";
import { CALLS, type CallName } from "@tapthru/proto/calls";
import { type Example, exampleOf } from "@tapthru/proto/examples";
import * as z from "zod/mini";
import type { TestApi } from "./test-api.ts";

const NAMES = Object.keys(CALLS) as CallName[];

/** A call with the example of its OpenAPI document. */
export interface ExampleCall extends Omit<DocumentedCall, "example"> {
  example: Example;
}

export const DOCUMENTED_CALLS = NAMES.map((name) => {
  const documented: DocumentedCall = CALLS[name];
  const call: ExampleCall = { ...documented, example: exampleOf(documented) };
  return { name, call, access: credentialsOf(documented) };
});

const Texts = z.record(z.string(), z.string());
const QuerySchema = z.object({
  properties: z.record(z.string(), z.looseObject({ enum: z.optional(z.array(z.string())) })),
  required: z.catch(z.array(z.string()), []),
});

export function queriesOf({ method, query, example }: ExampleCall): Record<string, string>[] {
  const own = z.parse(Texts, example.query ?? {});
  if (query === undefined || method !== "GET") return [own];
  const schema = z.parse(QuerySchema, z.toJSONSchema(query, { io: "input", unrepresentable: "any" }));
  const required = Object.fromEntries(Object.entries(own).filter(([name]) => schema.required.includes(name)));
  const others = Object.entries(schema.properties).flatMap(([name, field]) =>
    (field.enum ?? []).map((value) => ({ ...required, [name]: value })),
  );
  return [own, ...others];
}

/** Sends the documented example of a call. @param known replaces the values of parameters in the path */
export function sendExample(
  api: Pick<TestApi, "url">,
  { call }: Pick<(typeof DOCUMENTED_CALLS)[number], "call">,
  headers: Record<string, string>,
  known: Record<string, string> = {},
): Promise<Response> {
  const { example, fileExample } = call;
  const params = Object.entries(z.parse(Texts, example.params ?? {}));
  const path = params.reduce((text, [name, value]) => text.replace(`:${name}`, known[name] ?? value), call.path);
  const query = new URLSearchParams(z.parse(Texts, example.query ?? {}));
  const json = example.body === undefined ? undefined : JSON.stringify(example.body);
  const type = call.file?.type ?? (json && "application/json");
  return fetch(`${api.url}${path}?${query}`, {
    method: call.method,
    headers: { ...headers, ...(type && { "content-type": type }) },
    body: fileExample ?? json ?? null,
    redirect: "manual",
  });
}
