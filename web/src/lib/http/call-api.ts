import type { Call } from "@tapthru/proto/call";
import type { CALLS, CallsOf } from "@tapthru/proto/calls";
import type * as identity from "@tapthru/proto/identity";
import type * as z from "zod/mini";
import { NetworkError, request } from "./http-client.ts";
import { loadSchemas } from "./load-schemas.ts";

type AllCalls = typeof CALLS & CallsOf<typeof identity>;
type Calls = {
  [Name in keyof AllCalls as `${AllCalls[Name]["method"]} ${AllCalls[Name]["path"]}`]: AllCalls[Name];
};
type ReplyOf<C extends Call> = z.output<C["replies"][keyof C["replies"]]>;

export type CallName = keyof Calls;
export type InputOf<Name extends CallName> = CallOptions<Calls[Name]>;
export type ReplyTo<Name extends CallName> = ReplyOf<Calls[Name]>;

type CallOptions<C extends Call> = (C extends { params: infer Params } ? { params: z.input<Params> } : unknown) &
  (C extends { body: infer Body } ? { body: z.input<Body> } : unknown) &
  (C extends { file: unknown } ? { file: Blob } : unknown) &
  (C extends { query: infer Query } ? { query: z.input<Query> } : unknown) & {
    headers?: Record<string, string>;
    signal?: AbortSignal | undefined;
    timeoutMs?: number;
    keepalive?: boolean;
    renewsSession?: boolean;
    isPersonal?: boolean;
  };

/**
 * Sends a request defined in proto. First loads the schemas that parse the reply, which are not in the first script.
 * @param name method and path, such as "POST /api/channels"
 * @throws HttpError, NetworkError, or a zod error if the reply does not match the definition
 */
export async function callApi<Name extends CallName>(name: Name, input: InputOf<Name>): Promise<ReplyTo<Name>> {
  return (await callApiForReply(name, input)).body;
}

/** As callApi, with the status and headers of the response. */
export async function callApiForReply<Name extends CallName>(
  name: Name,
  input: InputOf<Name>,
): Promise<{ status: number; headers: Headers; body: ReplyTo<Name> }> {
  const { parseReply, isOfAccount } = await loadSchemas().catch((cause) => {
    throw new NetworkError("Failed to load the response schemas", { cause });
  });
  const [method, path] = methodAndPath(name);
  const reply = await request(method, path, { isPersonal: !isOfAccount(method, path), ...input });
  const { status, headers } = reply;
  return { status, headers, body: parseReply(method, path, reply) as ReplyTo<Name> };
}

export function methodAndPath(name: string): [method: string, path: string] {
  const [method = "", path = ""] = name.split(" ");
  return [method, path];
}
