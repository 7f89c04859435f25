import { type LinkToCreate, readCreateOutcomes } from "../creates.ts";
import type { Exchange, HttpResponse, LoadRequest } from "../exchange.ts";

/** A visit of an existing link. */
export interface Visit {
  shortCode: string;
  /** The exact destination. */
  location: string;
}

/** A later response is a failure. */
const VISIT_TIMEOUT_MS = 1_000;

const DESKTOP =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** One visit for each created link. */
export function toVisits(
  creates: readonly LinkToCreate[],
  exchanges: readonly Exchange[],
): Visit[] {
  const { created } = readCreateOutcomes(creates, exchanges);
  return [...created].map(([location, shortCode]) => ({ location, shortCode }));
}

export function codesOf(visits: readonly Visit[]): string[] {
  return visits.map(({ shortCode }) => shortCode);
}

export function visitRequest({ shortCode }: Visit): LoadRequest {
  return { method: "GET", path: `/l/${shortCode}`, headers: { "user-agent": DESKTOP } };
}

/** The error of a response, regardless of its latency; null when it is correct. */
export function visitError(
  { shortCode, location }: Visit,
  response: HttpResponse | null,
): string | null {
  if (response === null) return `${shortCode}: no response`;
  if (response.status !== 302) return `${shortCode}: status ${response.status}`;
  if (response.location !== location) return `${shortCode} redirects to ${response.location}`;
  return null;
}

/** The errors of failed visits. */
export function visitFailures(
  visits: readonly Visit[],
  exchanges: readonly Pick<Exchange, "index" | "response" | "tookMs">[],
): string[] {
  return exchanges.flatMap(({ index, response, tookMs }) => {
    const visit = visits[index] as Visit;
    const late = tookMs > VISIT_TIMEOUT_MS ? `${visit.shortCode}: ${Math.round(tookMs)} ms` : null;
    return visitError(visit, response) ?? late ?? [];
  });
}
