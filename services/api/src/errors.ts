/** What can be wrong with a request, by name; `http/error-replies.ts` alone knows their statuses. */
export type ErrorCode =
  | "account-deleted"
  | "bad-idempotency-key"
  | "bad-origin"
  | "bad-token"
  | "body-too-large"
  | "email-taken"
  | "idempotency-key-reused"
  | "internal"
  | "invalid-body"
  | "invalid-query"
  | "link-expired"
  | "link-not-available"
  | "login-required"
  | "malformed-body"
  | "method-not-allowed"
  | "not-allowed"
  | "not-configured"
  | "not-found"
  | "short-link-failed"
  | "short-link-too-slow"
  | "too-many-requests"
  | "unavailable"
  | "unsupported-media-type"
  | "unusable-link"
  | "username-taken";

export interface ErrorDetails {
  /** Which of the request's fields is at fault. */
  field?: string;
  retryAfterSeconds?: number;
  /** For the log alone. */
  cause?: Error;
}

/** A refusal whose message is one short sentence for people. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "ApiError";
    this.code = code;
    this.details = details;
  }
}
