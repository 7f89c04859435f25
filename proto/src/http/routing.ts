import * as z from "zod/mini";
import { LinkRouting } from "../redirect/link-routing.ts";
import { ROUTING_CHOICES, ROUTING_FALLBACKS } from "../rules/routing/routing-choices.ts";
import type { Call } from "./call.ts";
import { getLink } from "./links.ts";

export const RoutingSettings = z.strictObject({
  /** Whether visitors are sent to their own store, unless the link says otherwise. */
  isOn: z.boolean(),
  fallback: z.enum(ROUTING_FALLBACKS),
  /** Whether assistants such as ChatGPT get the addresses of products with the user's tag. */
  assistantsGetTag: z._default(z.boolean(), false),
});
export type RoutingSettings = z.infer<typeof RoutingSettings>;

export const getRoutingSettings = {
  method: "GET",
  path: "/api/routing",
  access: "links:read",
  replies: { 200: RoutingSettings },
} as const satisfies Call;

export const saveRoutingSettings = {
  method: "PUT",
  path: "/api/routing",
  access: "links:write",
  body: RoutingSettings,
  replies: { 200: RoutingSettings },
} as const satisfies Call;

const choice = z.enum(ROUTING_CHOICES);

export const RoutingOfLink = z.object({
  choice,
  /** Whether visitors are sent to their own store where that is possible: by `choice`, or as the account says. */
  isOn: z.boolean(),
  /** Null: every visitor opens the destination of the link. */
  routing: z.nullable(LinkRouting),
});
export type RoutingOfLink = z.infer<typeof RoutingOfLink>;

export const getLinkRouting = {
  method: "GET",
  path: "/api/links/:shortCode/routing",
  access: "links:read",
  params: getLink.params,
  replies: { 200: RoutingOfLink },
} as const satisfies Call;

export const saveLinkRouting = {
  method: "PUT",
  path: "/api/links/:shortCode/routing",
  access: "links:write",
  params: getLink.params,
  body: z.strictObject({ choice }),
  replies: { 200: RoutingOfLink },
} as const satisfies Call;
