import { messages } from "@tapthru/proto/rules/messages";
import type { Resolution } from "@tapthru/runtime/safe-fetch/follow-short-link";
import { ApiError } from "../errors.ts";

/**
 * Returns the store page of a resolved short link.
 * @throws ApiError for every other resolution
 */
export function resolvedUrl(resolution: Resolution): string {
  switch (resolution.kind) {
    case "resolved":
      return resolution.url;
    case "not-short":
      throw new ApiError("not-a-short-link");
    case "leads-elsewhere":
      throw new ApiError("unusable-link");
    case "bad-response":
      throw new ApiError("short-link-failed", {
        cause: new Error(messages.failedToResolveShortLink, { cause: failure(resolution) }),
      });
    case "too-slow":
      throw new ApiError("short-link-too-slow", {
        cause: new Error(messages.serverFailedToResolve, { cause: failure(resolution) }),
      });
  }
}

/** For the log: the address itself may contain personal data. */
function failure(resolution: Extract<Resolution, { host?: unknown }>): Error {
  const { kind, host, reason } = { reason: undefined, ...resolution };
  return new Error([kind, host, reason].filter(Boolean).join(", "));
}
