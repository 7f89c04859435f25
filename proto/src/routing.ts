import * as z from "zod/mini";
import { resource } from "./call.ts";
import { shortCode } from "./fields.ts";
import { linkNotFound, linkTakenDown } from "./general-errors.ts";
import { LinkRouting } from "./redirect/link-routing.ts";

export const ROUTING_FALLBACKS = ["original", "search"] as const;

/** The owner's choice for one link; `account` follows the settings of the account. */
export const ROUTING_CHOICES = ["account", "on", "off"] as const;
export type RoutingChoice = (typeof ROUTING_CHOICES)[number];

export const RoutingSettings = z.strictObject({
  isOn: z.boolean(),
  fallback: z.enum(ROUTING_FALLBACKS),
  assistantsGetTag: z._default(z.boolean(), false),
});
export type RoutingSettings = z.infer<typeof RoutingSettings>;

const stores = resource("Stores", { reads: "links:read", writes: "links:write" });
const links = resource("Links", { reads: "links:read", writes: "links:write" });

export const getRoutingSettings = stores.get("/api/routing", {
  summary: "Get the routing settings of the account",
  description:
    "`isOn`: visitors of links to a product are sent to the store of their country, if the user saved a tag for it and it is known to sell the product, unless the link says otherwise. `fallback`: where they go if it is not known to sell it: to the original, or to a search for the title in their store. `assistantsGetTag`: programs that read a link because a person asked an assistant, such as ChatGPT-User, get the address with the user's tag.",
  replies: { 200: RoutingSettings },
});

export const saveRoutingSettings = stores.put("/api/routing", {
  summary: "Save the routing settings of the account",
  description: "Redirects follow within a second, those of thousands of links a little later.",
  body: RoutingSettings,
  replies: { 200: RoutingSettings },
  records: "routing.changed",
});

const choice = z.enum(ROUTING_CHOICES);

export const RoutingOfLink = z.object({
  choice,
  isOn: z.boolean(),
  /** Null if every visitor opens the destination of the link. */
  routing: z.nullable(LinkRouting),
});
export type RoutingOfLink = z.infer<typeof RoutingOfLink>;

export const getLinkRouting = links.get("/api/links/:shortCode/routing", {
  summary: "Get the routing of a link",
  description:
    "`choice` is the user's choice for this link. `isOn` says whether routing is on for it, by that choice or by the settings of the account. `routing` is what redirects use: the stores to which visitors may be sent with the user's tag, those that Amazon OneLink serves, and the title for which visitors search in stores that are not known to sell the product. Null if every visitor opens the destination of the link.",
  params: z.object({ shortCode }),
  replies: { 200: RoutingOfLink },
  errors: [linkNotFound],
});

export const saveLinkRouting = links.put("/api/links/:shortCode/routing", {
  summary: "Choose the routing of a link",
  description:
    "`on` or `off` for this link alone, or `account`: as the settings of the account say. Redirects follow within a second.",
  params: z.object({ shortCode }),
  body: z.strictObject({ choice }),
  replies: { 200: RoutingOfLink },
  errors: [linkNotFound, linkTakenDown],
  records: "link.changed",
});
