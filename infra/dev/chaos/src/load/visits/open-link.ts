import { Agent } from "undici";
import type { Exchange } from "../exchange.ts";
import { sendRequest } from "../send-request.ts";
import { type Visit, visitRequest } from "./visits.ts";

export type OpenResult = Pick<Exchange, "response" | "tookMs">;

const CLIENT = new Agent({ connections: null });

/** Sends one visit, outside a load. */
export async function openLink(
  origin: string,
  visit: Visit,
  headers: Record<string, string> = {},
): Promise<OpenResult> {
  const request = visitRequest(visit);
  const begin = performance.now();
  const response = await sendRequest(CLIENT, {
    ...request,
    origin,
    headers: { ...request.headers, ...headers },
  });
  return { response, tookMs: performance.now() - begin };
}
