import type { DomainProblem } from "@tapthru/proto/rules/domains";

export const ORDER_PROBLEMS = [
  "caa-forbids",
  "order-limit",
  "authority-unavailable",
  "order-refused",
] as const satisfies DomainProblem[];
export type OrderProblem = (typeof ORDER_PROBLEMS)[number];

/**
 * Why an order failed. acme-client throws plain errors: their messages have the detail or the whole JSON of the problem, and
 * those of requests without a response have a code of axios.
 */
export function problemOf(error: unknown): OrderProblem {
  if (!(error instanceof Error)) return "order-refused";
  // acme-client reads a property of the response that is missing.
  if (error instanceof TypeError) return "authority-unavailable";
  const { message } = error;
  if (/\bCAA\b|acme:error:caa/.test(message)) return "caa-forbids";
  if (/acme:error:rateLimited|too many (certificates|new orders|failed|currently)/i.test(message)) return "order-limit";
  const status = "response" in error ? statusOf(error.response) : null;
  if (status === 429) return "order-limit";
  const hasNoResponse = "isAxiosError" in error && status === null;
  const isServerError =
    /acme:error:serverInternal|returned error 5\d\d|Operation is pending|Failed to get nonce|service unavailable|maintenance/i;
  if (hasNoResponse || (status ?? 0) >= 500 || isServerError.test(message)) return "authority-unavailable";
  return "order-refused";
}

function statusOf(response: unknown): number | null {
  return typeof response === "object" && response !== null && "status" in response ? Number(response.status) : null;
}
