import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import type { PostWebhook } from "@tapthru/core/platform/safe-fetch/webhook-fetch";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { Webhook } from "standardwebhooks";
import type { AttemptResult, Delivery } from "./queries.ts";

export interface SendDependencies {
  postWebhook: PostWebhook;
  publicBaseUrl: string;
}

interface Receiver {
  url: string;
  /** The current one, and during a renewal the one before. */
  secrets: readonly string[];
}

/** Sends one attempt of a delivery, signed with each secret. @returns null if it was aborted */
export async function sendDelivery(
  { postWebhook, publicBaseUrl }: SendDependencies,
  { url, secrets }: Receiver,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<AttemptResult | null> {
  const body = deliveryBody(delivery, publicBaseUrl);
  const now = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(delivery.id, now, body));
  const headers = {
    "webhook-id": delivery.id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
  try {
    return { status: await postWebhook({ url, headers, body, deadline: signal }) };
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    return signal.aborted ? null : { error: error.code };
  }
}

/** The same for each attempt. */
function deliveryBody({ type, data, createdAt }: Delivery, publicBaseUrl: string): string {
  const { shortCode } = data;
  const link = typeof shortCode === "string" && { shortUrl: shortUrl(publicBaseUrl, shortCode) };
  return JSON.stringify({
    type,
    timestamp: new Date(createdAt).toISOString(),
    data: { ...data, ...link },
  });
}
