import * as z from "zod/mini";
import { resource } from "./call.ts";
import { error } from "./rules/error.ts";
import { shortLinkFailed, shortLinkTooSlow, unusableLink } from "./rules/link-errors.ts";

export const notAShortLink = error("not-a-short-link", 422, "This is not a shortened Amazon link.");

const pages = resource("Pages", { reads: "anyone", writes: "anyone" });

export const resolveLink = pages.post("/api/resolve-link", {
  summary: "Resolve a short link of Amazon",
  description: "Follows a short link such as amzn.to/… to the address of its store page.",
  limit: "resolveLink",
  body: z.strictObject({ url: z.string() }),
  replies: { 200: z.object({ resolvedUrl: z.string() }) },
  errors: [notAShortLink, shortLinkFailed, shortLinkTooSlow, unusableLink],
});
