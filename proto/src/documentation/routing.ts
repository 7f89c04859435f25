import type * as routingCalls from "../http/routing.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_CODE } from "./example-values.ts";

const SETTINGS = { isOn: true, fallback: "original", assistantsGetTag: false } as const;

const ROUTING = {
  stores: [{ marketplace: "de", tag: "anna-21", isSold: true }],
  oneLink: ["fr"],
  searchTitle: null,
} as const;
const routing = { ...ROUTING, stores: [...ROUTING.stores], oneLink: [...ROUTING.oneLink] };

export const routingDocumentation: DocumentationOf<typeof routingCalls> = {
  getRoutingSettings: {
    tag: "Stores",
    summary: "Get the routing settings of the account",
    description:
      "`isOn`: visitors of links to a product are sent to the store of their country, if the user saved a tag for it and it is known to sell the product, unless the link says otherwise. `fallback`: where they go if it is not known to sell it: to the original, or to a search for the title in their store. `assistantsGetTag`: programs that read a link because a person asked an assistant, such as ChatGPT-User, get the address with the user's tag.",
    errors: [],
    example: { replies: { 200: SETTINGS } },
  },
  saveRoutingSettings: {
    tag: "Stores",
    summary: "Save the routing settings of the account",
    description: "Redirects follow within a second, those of thousands of links a little later.",
    errors: [],
    example: { body: SETTINGS, replies: { 200: SETTINGS } },
  },
  getLinkRouting: {
    tag: "Links",
    summary: "Get the routing of a link",
    description:
      "`choice` is what the user chose for this link. `isOn` says whether routing is on for it, by that choice or by the settings of the account. `routing` is what redirects use: the stores to which visitors may be sent with the user's tag, those that Amazon OneLink serves, and the title for which visitors search in stores that are not known to sell the product. Null if every visitor opens the destination of the link.",
    errors: ["link-not-found"],
    example: {
      params: { shortCode: EXAMPLE_CODE },
      replies: { 200: { choice: "account", isOn: true, routing } },
    },
  },
  saveLinkRouting: {
    tag: "Links",
    summary: "Choose the routing of a link",
    description:
      "`on` or `off` for this link alone, or `account`: as the settings of the account say. Redirects follow within a second.",
    errors: ["link-not-found", "link-taken-down"],
    example: {
      params: { shortCode: EXAMPLE_CODE },
      body: { choice: "on" },
      replies: { 200: { choice: "on", isOn: true, routing } },
    },
  },
};
