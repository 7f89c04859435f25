import type { resolveLink as ResolveLink } from "@tapthru/proto/http/resolve-link";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";
import { LinkGenerationError } from "../link-generation-error.ts";

/** Resolves a short Amazon link to the store page it leads to. */
export async function resolveLink(url: string): Promise<string> {
  try {
    const body = { url };
    return (await callApi<typeof ResolveLink>("POST", "/api/resolve-link", { body })).resolvedUrl;
  } catch (cause) {
    throw new LinkGenerationError(messages.failedToProcessShortLink, { cause });
  }
}
