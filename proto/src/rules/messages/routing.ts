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
export const routingChoices = { account: "As in your account", on: "On", off: "Off" };
export const changeRouting = "Choose where visitors go";
export const hideRouting = "Hide the choice";
export const loadingRouting = "Loading...";
export const failedToLoadRouting = "Failed to load this setting. Please try again.";
export const failedToSaveRouting = "Not saved. Please try again.";
export const routesTo = (stores: string) => `Visitors can be sent to ${stores}.`;
export const routesNowhere = "Every visitor opens the original link now.";
