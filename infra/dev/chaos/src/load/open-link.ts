import { Agent } from "undici";
import type { Exchange } from "./exchange.ts";
import { ask } from "./send-request.ts";
import { type Visit, visitRequest } from "./visits.ts";

export type Opening = Pick<Exchange, "answer" | "tookMs">;

const CLIENT = new Agent({ connections: null });

/** Opens one link, outside any load. */
export async function openLink(
  origin: string,
  visit: Visit,
  headers: Record<string, string> = {},
): Promise<Opening> {
  const request = visitRequest(visit);
  const begin = performance.now();
  const answer = await ask(CLIENT, {
    ...request,
    origin,
    headers: { ...request.headers, ...headers },
  });
  return { answer, tookMs: performance.now() - begin };
}
