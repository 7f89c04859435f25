import { UniqueIntegrityConstraintViolationError } from "slonik";
import { ApiError } from "../errors.ts";

/**
 * The response to a username that another user has, or an email address that another user has verified. Null for any other
 * error.
 */
export function uniquenessError(error: unknown): ApiError | null {
  if (!(error instanceof UniqueIntegrityConstraintViolationError)) return null;
  switch (error.constraint) {
    case "users_username_key":
    case "users_username_lookalike_key":
      return new ApiError("username-taken", { field: "username" });
    case "users_email_key":
      return new ApiError("email-taken", { field: "email" });
    default:
      return null;
  }
}
