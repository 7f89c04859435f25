import type { Call } from "@tapthru/proto/http/call";
import type * as z from "zod/mini";
import { request } from "./http-client.ts";

type Reply<C extends Call> = z.output<C["replies"][keyof C["replies"]]>;

type CallOptions<C extends Call> = (C extends { params: infer Params }
  ? { params: z.input<Params> }
  : unknown) &
  (C extends { body: infer Body } ? { body: z.input<Body> } : unknown) &
  (C extends { query: infer Query } ? { query: z.input<Query> } : unknown) & {
    headers?: Record<string, string>;
    signal?: AbortSignal | undefined;
    timeoutMs?: number;
    renewsSession?: boolean;
  };

/**
 * Makes one of proto's calls. proto serves as types alone, which hold method, path, body and reply
 * together: our own api checks its replies, and the first script stays free of zod.
 */
export async function callApi<C extends Call>(
  method: C["method"],
  path: C["path"],
  options: CallOptions<C>,
): Promise<Reply<C>> {
  return (await request(method, path, options)) as Reply<C>;
}
