import { credentialsOf, type DocumentedCall } from "@tapthru/proto/call";
import { CALLS, type CallName } from "@tapthru/proto/calls";
import * as z from "zod/mini";
import type { TestApi } from "./test-api.ts";

const NAMES = Object.keys(CALLS) as CallName[];

export const DOCUMENTED_CALLS = NAMES.map((name) => {
  const call = CALLS[name] as DocumentedCall;
  return { name, call, access: credentialsOf(call) };
});

const Texts = z.record(z.string(), z.string());

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
