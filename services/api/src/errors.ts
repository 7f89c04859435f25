/** What can be wrong with a request, by name; `http/error-replies.ts` alone knows their statuses. */
export type ErrorCode =
  | "bad-idempotency-key"
  | "bad-origin"
  | "body-too-large"
  | "idempotency-key-reused"
  | "invalid-body"
  | "invalid-query"
  | "malformed-body"
  | "method-not-allowed"
  | "not-found"
  | "short-link-failed"
  | "short-link-too-slow"
  | "unavailable"
  | "unsupported-media-type"
  | "unusable-link";

/** A refusal whose message is one short sentence for people. */
export class ApiError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = "ApiError";
    this.code = code;
  }
}
