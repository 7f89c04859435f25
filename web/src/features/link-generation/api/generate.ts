import type { generate as Generate, GeneratedLink } from "@tapthru/proto/http/generate";
import { messages } from "@tapthru/proto/rules/messages";
import { callApiForReply } from "../../../lib/http/call-api.ts";
import { HttpError } from "../../../lib/http/http-client.ts";
import { authHeaders, keepLink } from "../../../lib/session-access.ts";
import { LinkGenerationError } from "../link-generation-error.ts";

interface Options {
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
}

export async function generate(
  url: string,
  { idempotencyKey, signal }: Options,
): Promise<CreatedLink> {
  try {
    const identity = await authHeaders();
    const { status, body: link } = await callApiForReply<typeof Generate>("POST", "/api/generate", {
      body: { url },
      headers: { "Idempotency-Key": idempotencyKey, ...identity },
      signal,
    });
    if (!identity.Authorization) void keepLink(link);
    return { ...link, isExisting: status === 200 };
  } catch (cause) {
    const message =
      cause instanceof HttpError ? messages.serverError(cause.text) : messages.failedToGenerateLink;
    throw new LinkGenerationError(message, { cause });
  }
}
