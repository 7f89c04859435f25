export const routing = "Visitors from other countries";
export const routingText =
  "Visitors can be sent to the Amazon store of their own country, with your tag for it. This happens in stores for which you saved a tag and which are known to sell the product. Stores that OneLink serves are left to Amazon.";
export const routeVisitors = "Send visitors to their own store";
export const accountRouting = {
  on: {
    name: "On",
    text: "For all links to a product. You can switch it off on the page of a link.",
  },
  off: { name: "Off", text: "You can switch it on for single links, on their pages." },
};
export const ifNotSold = "If their store is not known to sell the product";
export const routingFallbacks = {
  original: { name: "Open the original link", text: "Your link stays exactly as you pasted it." },
  search: {
    name: "Search for the title in their store",
    text: "With your tag for that store.",
  },
};
export const tagForAssistants = "Give assistants such as ChatGPT my tag";
export const tagForAssistantsText =
  "Amazon's rules keep affiliate links away from generative AI, so assistants get the address without your tag. Clicks says how many did.";
export const routingChoices = { account: "As in your account", on: "On", off: "Off" };
export const changeRouting = "Choose where visitors go";
export const hideRouting = "Hide the choice";
export const loadingRouting = "Loading...";
export const failedToLoadRouting = "Failed to load this setting. Please try again.";
export const failedToSaveRouting = "Not saved. Please try again.";
export const routesTo = (stores: string) => `Visitors can be sent to ${stores}.`;
export const routesNowhere = "Every visitor opens the original link now.";

const either = (stores: readonly string[]) =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(stores);
const all = (stores: readonly string[]) => new Intl.ListFormat("en").format(stores);

export const visitorCountry = "Visitors from";
export const otherCountry = "Any other country, or unknown";
export const visitsProduct = (store: string, tag: string) =>
  `They open the product on ${store}, with your tag ${tag}.`;
export const visitsSearch = (store: string, tag: string) =>
  `They search for the title on ${store}, with your tag ${tag}, because it isn't known to sell the product.`;

type Stays = (stores: readonly string[]) => string;
const stays = "They open your original link";
export const staysInOtherCountries = `${stays}.`;
export const staysInOwnStore: Stays = (stores) => `${stays}: ${all(stores)} is their store.`;
export const staysWhileOff = `${stays}: sending visitors to their own store is off for this link.`;
export const staysForAttribution = `${stays}: sales in another store would be missing from the Amazon Attribution report.`;
export const staysForOneLink: Stays = (stores) =>
  `${stays}: you said that Amazon OneLink serves ${all(stores)}, so Amazon sends them there.`;
export const staysWithoutTag: Stays = (stores) =>
  `${stays}: you have no tag for ${either(stores)}.`;
export const staysIfNotSold: Stays = (stores) =>
  `${stays}: ${either(stores)} isn't known to sell the product.`;
export const failedToLoadVisit = "Failed to load where they go.";
