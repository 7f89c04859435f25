import { domainNotUsable } from "@tapthru/proto/domains";
import { linkNotFound, loginRequired, notFound, slugTaken } from "@tapthru/proto/general-errors";
import { badKey } from "@tapthru/proto/keys";
import type { ApiError } from "./errors.ts";

/** The errors that Shlink's clients know, with their titles. */
const PROBLEMS: Readonly<Record<string, readonly [type: string, title: string]>> = {
  [slugTaken.code]: ["non-unique-slug", "Invalid custom slug"],
  [linkNotFound.code]: ["short-url-not-found", "Short URL not found"],
  [loginRequired.code]: ["missing-authentication", "Invalid authorization"],
  [badKey.code]: ["invalid-api-key", "Invalid API key"],
  [domainNotUsable.code]: ["domain-not-found", "Domain not found"],
  [notFound.code]: ["not-found", "Not found"],
};
const INVALID_DATA = ["invalid-data", "Invalid data"] as const;

/** What is wrong with the data of a request has the status 400 there. */
const DATA_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

/** An error as Shlink reports it, with our code. */
export function shlinkProblem({ code, status: ownStatus, message: detail }: ApiError) {
  const isOfData = DATA_STATUSES.has(ownStatus);
  const [type, title] = PROBLEMS[code] ?? (isOfData ? INVALID_DATA : [code, detail]);
  return { type: `https://shlink.io/api/error/${type}`, title, detail, status: isOfData ? 400 : ownStatus, code };
}
