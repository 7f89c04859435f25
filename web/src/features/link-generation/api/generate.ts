import type { generate as Generate, GeneratedLink } from "@tapthru/proto/http/generate";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";
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

export async function generate(
  url: string,
  { idempotencyKey, signal }: Options,
): Promise<GeneratedLink> {
  try {
    const identity = await authHeaders();
    const link = await callApi<typeof Generate>("POST", "/api/generate", {
      body: { url },
      headers: { "Idempotency-Key": idempotencyKey, ...identity },
      signal,
    });
    if (!identity.Authorization) await keepLink(link);
    return link;
  } catch (cause) {
    const message =
      cause instanceof HttpError ? messages.serverError(cause.text) : messages.failedToGenerateLink;
    throw new LinkGenerationError(message, { cause });
  }
}
