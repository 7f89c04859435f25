/** A request of a load. Its origin is in the plan of the load. */
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
  /** When the request was due, in milliseconds since the start of the load. */
  dueAtMs: number;
  /** Time since the request was due, so that a load generator that falls behind does not hide latency. */
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

/** Describes the responses whose status is not in `statuses`, and missing responses. */
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
  /** Number of requests; the list is repeated. Null: until the load is stopped. */
  total: number | null;
}
