import { ERRORS, type ErrorCode } from "@tapthru/proto/rules/errors";
import { messages } from "@tapthru/proto/rules/messages";

export interface ErrorDetails {
  /** Overrides the default message of the code. */
  message?: string;
  /** The request field that caused the error. */
  field?: string;
  retryAfterSeconds?: number;
  /** The cause of the error, which is only logged. */
  cause?: Error;
  /** Why a part of the service is unavailable. Only the record of the completed request has it. */
  reason?: string;
}

/** An error that is reported to the client. Status and default message come from its code. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message, { cause: details.cause });
    this.name = "ApiError";
    this.code = code;
    this.details = details;
  }
}

export function malformed(field: string): ApiError {
  return new ApiError("invalid-body", { message: messages.malformedField(field) });
}
