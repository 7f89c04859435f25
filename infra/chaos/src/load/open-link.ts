import type { Exchange } from "./exchange.ts";
import { type Visit, visitRequest } from "./visits.ts";

export type Opening = Pick<Exchange, "answer" | "tookMs">;

/** Opens one link, outside any load. */
export async function openLink(
  origin: string,
  visit: Visit,
  headers: Record<string, string> = {},
): Promise<Opening> {
  const request = visitRequest(visit);
  const begin = performance.now();
  try {
    const response = await fetch(`${origin}${request.path}`, {
      headers: { ...request.headers, ...headers },
      redirect: "manual",
    });
    const answer = {
      status: response.status,
      location: response.headers.get("location"),
      retryAfter: response.headers.get("retry-after"),
      body: await response.text(),
    };
    return { answer, tookMs: performance.now() - begin };
  } catch {
    return { answer: null, tookMs: performance.now() - begin };
  }
}
