import { malformedRequest } from "@tapthru/proto/general-errors";
import type { ErrorReply } from "@tapthru/proto/rules/error";
import * as z from "zod/mini";
import { ApiError, malformedField } from "./errors.ts";

/** Only such names are repeated in error messages, because a field name may be long and contain anything. */
const FIELD_NAME = /^\w{1,40}(?:\[\w{0,20}\])?$/;

/** @throws ApiError with the message of the first invalid field */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  refusal: ErrorReply,
): z.output<Schema> {
  const parsed = z.safeParse(schema, input, { error: validationMessage });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError(refusal, issue && { message: issue.message });
}

function validationMessage(issue: z.core.$ZodRawIssue): string {
  const isUnexpected = issue.code === "unrecognized_keys";
  const field = isUnexpected ? issue.keys[0] : issue.path?.[0];
  if (typeof field !== "string" || !FIELD_NAME.test(field)) return malformedRequest.message;
  return isUnexpected ? `Unexpected field: ${field}` : malformedField(field);
}
