import type { Call } from "@tapthru/proto/http/call";
import type * as z from "zod/mini";
import { NetworkError, request } from "./http-client.ts";
import { loadSchemas } from "./load-schemas.ts";

type Reply<C extends Call> = z.output<C["replies"][keyof C["replies"]]>;

type CallOptions<C extends Call> = (C extends { params: infer Params }
  ? { params: z.input<Params> }
  : unknown) &
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
export async function callApi<C extends Call>(
  method: C["method"],
  path: C["path"],
  options: CallOptions<C>,
): Promise<Reply<C>> {
  return (await callApiForReply(method, path, options)).body;
}

/** As callApi, with the status and headers of the response. */
export async function callApiForReply<C extends Call>(
  method: C["method"],
  path: C["path"],
  options: CallOptions<C>,
): Promise<{ status: number; headers: Headers; body: Reply<C> }> {
  const { parseReply } = await loadSchemas().catch((cause) => {
    throw new NetworkError("Failed to load the response schemas", { cause });
  });
  const reply = await request(method, path, options);
  const { status, headers } = reply;
  return { status, headers, body: parseReply(method, path, reply) as Reply<C> };
}
