import { isLocalTarget } from "@tapthru/proto/rules/webhooks";
import { standInClient } from "./client.ts";
import {
  createGuardedFetch,
  createSafeFetch,
  type SafeFetchConfig,
  type SafeFetchRequest,
  type SafeFetchResponse,
} from "./safe-fetch.ts";

const WEBHOOK_DEADLINE_MS = 10_000;

/** Follows no redirect and reads no body. @throws only SafeFetchError */
export type PostWebhook = (
  request: Required<Pick<SafeFetchRequest, "url" | "headers" | "body" | "deadline">>,
) => Promise<Pick<SafeFetchResponse, "status" | "retryAfter">>;

interface WebhookFetchConfig extends Omit<SafeFetchConfig, "deadlineMs"> {
  /** For local development: also in plain HTTP to servers on this machine. */
  allowsLocal: boolean;
}

export function createPostWebhook({ allowsLocal, ...config }: WebhookFetchConfig): PostWebhook {
  const fetchPublic = createSafeFetch({ ...config, deadlineMs: WEBHOOK_DEADLINE_MS });
  const fetchLocal = createGuardedFetch(
    (url) => standInClient(url.origin)(url),
    config.userAgent,
    WEBHOOK_DEADLINE_MS,
    isLocalTarget,
  );
  return async ({ headers, ...request }) => {
    const url = URL.parse(request.url);
    const isLocal = allowsLocal && url !== null && isLocalTarget(url);
    const send = isLocal ? fetchLocal : fetchPublic;
    return send({
      ...request,
      purpose: "webhook",
      method: "POST",
      headers: { accept: "*/*", "content-type": "application/json", ...headers },
    });
  };
}
