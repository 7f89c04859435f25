import { invalidBody } from "@tapthru/proto/general-errors";
import type { ErrorReply } from "@tapthru/proto/rules/error";

export const malformedField = (name: string) => `Missing or malformed field: ${name}`;

export interface ErrorDetails {
  message?: string;
  field?: string;
  retryAfterSeconds?: number;
  /** The cause of the error, which is only logged. */
  cause?: Error;
  /** Why a part of the service is unavailable. Only the record of the completed request has it. */
  reason?: string;
}

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: ErrorDetails;

  constructor({ code, status, message }: ErrorReply, details: ErrorDetails = {}) {
    super(details.message ?? message, { cause: details.cause });
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

export function malformed(field: string): ApiError {
  return new ApiError(invalidBody, { message: malformedField(field) });
}
