import { ERRORS, type ErrorCode } from "@tapthru/proto/rules/errors";
import type { ApiError } from "./errors.ts";

/** The errors that Shlink's clients know, with their titles. */
const PROBLEMS: Partial<Record<ErrorCode, readonly [type: string, title: string]>> = {
  "slug-taken": ["non-unique-slug", "Invalid custom slug"],
  "link-not-found": ["short-url-not-found", "Short URL not found"],
  "login-required": ["missing-authentication", "Invalid authorization"],
  "bad-key": ["invalid-api-key", "Invalid API key"],
  "domain-not-usable": ["domain-not-found", "Domain not found"],
  "not-found": ["not-found", "Not found"],
};
const INVALID_DATA = ["invalid-data", "Invalid data"] as const;

/** What is wrong with the data of a request has the status 400 there. */
const DATA_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

/** An error as Shlink reports it, with our code. */
export function shlinkProblem({ code, message: detail }: ApiError) {
  const ownStatus = ERRORS[code].status;
  const isOfData = DATA_STATUSES.has(ownStatus);
  const [type, title] = PROBLEMS[code] ?? (isOfData ? INVALID_DATA : [code, detail]);
  return { type: `https://shlink.io/api/error/${type}`, title, detail, status: isOfData ? 400 : ownStatus, code };
}
