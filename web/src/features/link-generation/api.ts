import type { QueryClient } from "@tanstack/react-query";
import type { GeneratedLink } from "@tapthru/proto/generate";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { ErrorCode } from "@tapthru/proto/rules/errors";
import { messages } from "@tapthru/proto/rules/messages";
import type { ChannelChoice } from "../../components/channel-fields.tsx";
import { authHeaders, keepLink } from "../../lib/api-auth.ts";
import { callApi, callApiForReply } from "../../lib/http/call-api.ts";
import { HttpError } from "../../lib/http/http-client.ts";
import type { NewLinkOptions } from "./new-links.ts";

export const CHANNEL_TAG_MISSING = "It has no tag: the channel has none for this store.";

const PROOF_REQUIRED: ErrorCode = "proof-of-work-required";

interface Options extends NewLinkOptions {
  /**
   * The same for every attempt to create a link from one pasted text, so that a lost response does not create a second
   * link.
   */
  idempotencyKey: string;
  signal?: AbortSignal;
}

export interface CreatedLink extends GeneratedLink {
  /** Whether it was created before, for an earlier request. */
  isExisting?: boolean;
  /** Whether it was to get the channel's tag, which has none for this store. */
  lacksChannelTag?: boolean;
}

export async function generate(
  url: string,
  { idempotencyKey, signal, domain, channel: findChannel }: Options,
): Promise<CreatedLink> {
  try {
    // Waits for the session, which the channels need.
    const identity = await authHeaders();
    const channel = await findChannel?.();
    const send = (proof?: Record<string, string>) =>
      callApiForReply("POST", "/api/generate", {
        body: { url, domain, ...channel },
        headers: { "Idempotency-Key": idempotencyKey, ...identity, ...proof },
        signal,
      });
    const { status, body: link } = await send().catch(async (error) => {
      if (error.code !== PROOF_REQUIRED) throw error;
      const { proveWork } = await import("../../lib/proof-of-work/prove-work.ts");
      return send(await proveWork());
    });
    if (identity === null) void keepLink(link);
    return { ...link, isExisting: status === 200, lacksChannelTag: lacksTag(link, channel) };
  } catch (cause) {
    const message = cause instanceof HttpError ? `Server error: ${cause.text}` : "Failed to generate link";
    throw new LinkGenerationError(message, { cause });
  }
}

/** Whether a new link was to get the channel's tag, and has none. */
export function lacksTag(
  { originalUrl }: Pick<GeneratedLink, "originalUrl">,
  channel: ChannelChoice | undefined,
): boolean {
  return channel?.usesChannelTag === true && parseStorePage(originalUrl)?.tag === null;
}

/** Resolves a short Amazon link to the store page it leads to. */
export async function resolveLink(url: string): Promise<string> {
  try {
    const body = { url };
    return (await callApi("POST", "/api/resolve-link", { body })).resolvedUrl;
  } catch (cause) {
    throw new LinkGenerationError(messages.failedToProcessShortLink, { cause });
  }
}

const path = "/api/visitor";

/**
 * Requests the claim cookie once, before the first link is created. The guest can then claim the link even if the
 * response that creates it is lost. HTTP errors are ignored, so that they do not prevent creating the link.
 */
export async function ensureClaimCookie(queryClient: QueryClient): Promise<void> {
  try {
    await queryClient.ensureQueryData({ queryKey: [path], gcTime: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

/** Its message is displayed to the user. */
export class LinkGenerationError extends Error {
  override name = "LinkGenerationError";
}
