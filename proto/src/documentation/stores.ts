import type * as storesCalls from "../http/stores.ts";
import type { DocumentationOf } from "./call-documentation.ts";

const STORE_TAG = { marketplace: "de", tag: "anna-21" } as const;

const CHOICE = { marketplace: "de", served: true } as const;

export const storesDocumentation: DocumentationOf<typeof storesCalls> = {
  listStoreTags: {
    tag: "Stores",
    summary: "List affiliate tags",
    description: "One for each store for which the user saved one.",
    errors: [],
    example: { replies: { 200: [STORE_TAG] } },
  },
  saveStoreTag: {
    tag: "Stores",
    summary: "Save the affiliate tag of a store",
    description: "The tags of other stores remain unchanged.",
    errors: [],
    example: { body: STORE_TAG, replies: { 200: STORE_TAG } },
  },
  deleteStoreTag: {
    tag: "Stores",
    summary: "Remove the affiliate tag of a store",
    description: "Also succeeds if the user saved no tag for this store.",
    errors: ["not-found"],
    example: { params: { marketplace: "de" }, replies: { 200: { marketplace: "de" } } },
  },
  listOneLinkStores: {
    tag: "Stores",
    summary: "List the stores that OneLink serves",
    description:
      "The stores in which Amazon OneLink pays the user's tag of amazon.com, as the user said. Amazon is not contacted.",
    errors: [],
    example: { replies: { 200: ["de", "fr"] } },
  },
  saveOneLinkStore: {
    tag: "Stores",
    summary: "Save whether OneLink serves a store",
    description:
      "For stores in which Amazon OneLink can pay a tag of amazon.com. The other stores remain unchanged.",
    errors: [],
    example: { body: CHOICE, replies: { 200: CHOICE } },
  },
};
