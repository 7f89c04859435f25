import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { Agent, request } from "undici";

export interface SiteResponse {
  status: number;
  /** Names in lower case. */
  header(name: string): string;
  text: string;
}

/** Requests a short link as a visitor with this agent. @returns null if this server cannot reach its own public address in time */
export type Visit = (shortUrl: string, userAgent: string) => Promise<SiteResponse | null>;
export type VisitSite = (signal: AbortSignal) => Visit;

/**
 * Requests pages of this site's links, of own domains too, at its public address and nowhere else. As prefetches of a proxy they are
 * not counted as visits, and open no app.
 */
export function createSiteVisit(publicBaseUrl: string): VisitSite {
  const dispatcher = new Agent({ maxResponseSize: FETCH_MAX_BYTES });
  return (signal) => async (shortUrl, userAgent) => {
    const { host, pathname } = new URL(shortUrl);
    const headers = { host, "user-agent": userAgent, "sec-purpose": "prefetch;anonymous-client-ip" };
    try {
      const response = await request(new URL(pathname, publicBaseUrl), { headers, signal, dispatcher });
      return {
        status: response.statusCode,
        header: (name) => String(response.headers[name] ?? ""),
        text: await response.body.text(),
      };
    } catch {
      return null;
    }
  };
}
