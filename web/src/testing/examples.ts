import type { DocumentedCall } from "@tapthru/proto/call";
import { listChannels } from "@tapthru/proto/channels";
import { listDomains } from "@tapthru/proto/domains";
import { EXAMPLE_HOST } from "@tapthru/proto/example-values";
import { exampleOf as exampleOfCall } from "@tapthru/proto/examples";
import { listKeys } from "@tapthru/proto/keys";
import { getUserDetails } from "@tapthru/proto/operator/users";
import { listWebhooks } from "@tapthru/proto/webhooks";
import * as z from "zod/mini";

/** The documented reply of a call. */
export const exampleOf = <Reply extends z.ZodMiniType>(
  call: DocumentedCall & { replies: { 200: Reply } },
): z.output<Reply> => z.parse(call.replies[200], exampleOfCall(call).replies[200]);

/** Makes objects like a documented example. @param plain what most tests need in place of it */
export const like =
  <T extends object>(example: T | undefined, plain: Partial<T>) =>
  (changes: Partial<T> = {}): T => ({ ...(example as T), ...plain, ...changes });

export const HOST = EXAMPLE_HOST;
export const SECRET = `whsec_${"a".repeat(43)}=`;

export const apiKey = like(exampleOf(listKeys)[0], {
  start: "tt_abcd",
  expiresAt: null,
  lastUsedAt: null,
  username: null,
});
export const webhook = like(exampleOf(listWebhooks)[0], { events: ["link.created", "link.deleted"] });
export const domain = like(exampleOf(listDomains)[0], { isDefault: false, rootUrl: null, linkCount: 2, seen: [] });
/** The default channel that each user has. */
export const mainChannel = like(exampleOf(listChannels)[0], {
  id: 1,
  name: "Main",
  isDefault: true,
  tags: [],
  linkCount: 0,
  untagged: [],
});
export const userDetails = like(exampleOf(getUserDetails), { id: 7, username: "berta", linkCount: 12 });
