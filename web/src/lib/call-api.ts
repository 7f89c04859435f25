import type { Call } from "@tapthru/proto/http/call";
import type * as z from "zod/mini";
import { NetworkError, request } from "./http-client.ts";
import { loadSchemas } from "./load-schemas.ts";

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
 * Makes one of proto's calls. The schemas that parse its reply load apart from the first script, before anything
 * is sent.
 * @throws HttpError, NetworkError, or zod's error for a reply that the call does not define
 */
export async function callApi<C extends Call>(
  method: C["method"],
  path: C["path"],
  options: CallOptions<C>,
): Promise<Reply<C>> {
  const { parseReply } = await loadSchemas().catch((cause) => {
    throw new NetworkError("The schemas of replies could not be loaded", { cause });
  });
  return parseReply(method, path, await request(method, path, options)) as Reply<C>;
}
