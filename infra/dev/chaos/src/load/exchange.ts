/** A request of the load; the origin is the load's. */
export interface LoadRequest {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** One request and what came of it. */
export interface Exchange {
  /** Place of its request in the list. */
  index: number;
  /** When it was due, in milliseconds since the load began. */
  dueAtMs: number;
  /** Since it was due, so that a load that falls behind hides nothing. */
  tookMs: number;
  /** Null where no whole answer came. */
  answer: Answer | null;
}

export interface Answer {
  status: number;
  location: string | null;
  retryAfter: string | null;
  body: string;
}

/** The answers with other statuses than these, in words. */
export function unexpectedResponses(
  statuses: readonly number[],
  exchanges: readonly Exchange[],
): string[] {
  return exchanges.flatMap(({ answer }) => {
    if (answer === null) return "no answer";
    return statuses.includes(answer.status) ? [] : `${answer.status} ${answer.body.trim()}`;
  });
}

/** What the generator is told. */
export interface LoadPlan {
  origin: string;
  perSecond: number;
  requests: LoadRequest[];
  /** Starts again at the first request until it is stopped. */
  repeats: boolean;
}
