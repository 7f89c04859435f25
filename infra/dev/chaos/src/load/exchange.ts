/** A request of a load; the load has the origin. */
export interface LoadRequest {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request and its response. */
export interface Exchange {
  /** Index of its request in the list. */
  index: number;
  /** When it was due, in milliseconds since the load began. */
  dueAtMs: number;
  /** Since it was due, so that a load that falls behind hides no latency. */
  tookMs: number;
  /** Null without a complete response. */
  response: HttpResponse | null;
}

export interface HttpResponse {
  status: number;
  location: string | null;
  retryAfter: string | null;
  body: string;
}

/** Describes the responses with other statuses. */
export function unexpectedResponses(
  statuses: readonly number[],
  exchanges: readonly Exchange[],
): string[] {
  return exchanges.flatMap(({ response }) => {
    if (response === null) return "no response";
    return statuses.includes(response.status) ? [] : `${response.status} ${response.body.trim()}`;
  });
}

/** The message to the generator process. */
export interface LoadPlan {
  origin: string;
  perSecond: number;
  requests: LoadRequest[];
  /** How many to send, repeating the list; null: until it is stopped. */
  total: number | null;
}
