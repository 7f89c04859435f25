import { type Create, readCreates } from "./creates.ts";
import type { Answer, Exchange, LoadRequest } from "./exchange.ts";

/** A link that is known to be there. */
export interface Visit {
  shortCode: string;
  /** Exactly where it leads. */
  location: string;
}

/** Later than this an answer is none. */
const VISIT_WITHIN_MS = 1_000;

const DESKTOP =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** A visit to every link that was made. */
export function makeVisits(creates: readonly Create[], exchanges: readonly Exchange[]): Visit[] {
  const { made } = readCreates(creates, exchanges);
  return [...made].map(([location, shortCode]) => ({ location, shortCode }));
}

export function visitRequest({ shortCode }: Visit): LoadRequest {
  return { method: "GET", path: `/l/${shortCode}`, headers: { "user-agent": DESKTOP } };
}

/** What is wrong with an answer, however long it took; null when nothing is. */
export function visitError({ shortCode, location }: Visit, answer: Answer | null): string | null {
  if (answer === null) return `${shortCode}: no answer`;
  if (answer.status !== 302) return `${shortCode}: status ${answer.status}`;
  if (answer.location !== location) return `${shortCode} leads to ${answer.location}`;
  return null;
}

/** The visits that were not served as they should be, each with what was wrong. */
export function visitFailures(
  visits: readonly Visit[],
  exchanges: readonly Pick<Exchange, "index" | "answer" | "tookMs">[],
): string[] {
  return exchanges.flatMap(({ index, answer, tookMs }) => {
    const visit = visits[index] as Visit;
    const late = tookMs > VISIT_WITHIN_MS ? `${visit.shortCode}: ${Math.round(tookMs)} ms` : null;
    return visitError(visit, answer) ?? late ?? [];
  });
}
