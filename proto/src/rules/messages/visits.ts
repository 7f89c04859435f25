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
