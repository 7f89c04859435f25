import type { ErrorCode } from "@tapthru/proto/rules/errors";
import { messages } from "@tapthru/proto/rules/messages";
import * as z from "zod/mini";
import { ApiError } from "./errors.ts";

/** Only such names are repeated in error messages, because a field name may be long and contain anything. */
const FIELD_NAME = /^\w{1,40}$/;

/** @throws ApiError with the message of the first invalid field */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  code: ErrorCode,
): z.output<Schema> {
  const parsed = z.safeParse(schema, input, { error: validationMessage });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError(code, issue && { message: issue.message });
}

/** Message for schema rules that define none. */
function validationMessage(issue: z.core.$ZodRawIssue): string {
  const isUnexpected = issue.code === "unrecognized_keys";
  const field = isUnexpected ? issue.keys[0] : issue.path?.[0];
  if (typeof field !== "string" || !FIELD_NAME.test(field)) return messages.malformedRequest;
  return isUnexpected ? messages.unexpectedField(field) : messages.malformedField(field);
}
