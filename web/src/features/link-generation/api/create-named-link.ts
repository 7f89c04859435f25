import type { createLink as CreateLink } from "@tapthru/proto/http/create-links";
import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";
import { HttpError } from "../../../lib/http/http-client.ts";
import { LinkGenerationError } from "../link-generation-error.ts";

interface NamedLink {
  url: string;
  slug: string;
}

/** Creates a link with a short code of the user's choice. The api resolves short Amazon links. */
export async function createNamedLink(
  body: NamedLink,
  idempotencyKey: string,
): Promise<GeneratedLink> {
  try {
    return await callApi<typeof CreateLink>("POST", "/api/links", {
      body,
      headers: { "Idempotency-Key": idempotencyKey },
    });
  } catch (cause) {
    const message =
      cause instanceof HttpError ? messages.serverError(cause.text) : messages.failedToGenerateLink;
    throw new LinkGenerationError(message, { cause });
  }
}
