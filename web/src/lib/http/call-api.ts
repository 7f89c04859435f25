import type { Call } from "@tapthru/proto/call";
import type { CALLS, CallsOf } from "@tapthru/proto/calls";
import type * as identity from "@tapthru/proto/identity";
import type * as z from "zod/mini";
import { NetworkError, type Reply, type RequestOptions, request } from "./http-client.ts";
import { loadSchemas } from "./load-schemas.ts";

type AllCalls = typeof CALLS & CallsOf<typeof identity>;
type Calls = {
  [Name in keyof AllCalls as `${AllCalls[Name]["method"]} ${AllCalls[Name]["path"]}`]: AllCalls[Name];
};
type Method = Call["method"];
type PathOf<M extends Method> = keyof Calls extends infer Key
  ? Key extends `${M} ${infer Path}`
    ? Path
    : never
  : never;
type CallOf<M extends Method, P extends string> = Calls[`${M} ${P}` & keyof Calls];

type ReplyOf<C extends Call> = z.output<C["replies"][keyof C["replies"]]>;

/** A call, such as "POST /api/channels". */
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
  };

/**
 * Sends a request defined in proto. First loads the schemas that parse the reply, which are not in the first script.
 * @throws HttpError, NetworkError, or a zod error if the reply does not match the definition
 */
export async function callApi<M extends Method, P extends PathOf<M> & string>(
  method: M,
  path: P,
  options: CallOptions<CallOf<M, P>>,
): Promise<ReplyOf<CallOf<M, P>>> {
  return (await callApiForReply(method, path, options)).body;
}

/** As callApi, by the name of the call. */
export async function sendCall<Name extends CallName>(name: Name, input: InputOf<Name>): Promise<ReplyTo<Name>> {
  const [method, path] = methodAndPath(name);
  return (await sendForReply(method, path, input)).body as ReplyTo<Name>;
}

export function methodAndPath(name: CallName): [method: string, path: string] {
  const [method = "", path = ""] = name.split(" ");
  return [method, path];
}

/** As callApi, with the status and headers of the response. */
export async function callApiForReply<M extends Method, P extends PathOf<M> & string>(
  method: M,
  path: P,
  options: CallOptions<CallOf<M, P>>,
): Promise<{ status: number; headers: Headers; body: ReplyOf<CallOf<M, P>> }> {
  const { body, ...reply } = await sendForReply(method, path, options);
  return { ...reply, body: body as ReplyOf<CallOf<M, P>> };
}

async function sendForReply(method: string, path: string, options: RequestOptions): Promise<Reply> {
  const { parseReply } = await loadSchemas().catch((cause) => {
    throw new NetworkError("Failed to load the response schemas", { cause });
  });
  const reply = await request(method, path, options);
  return { ...reply, body: parseReply(method, path, reply) };
}
