export const offlineTitle = "You're offline";
export const offlineText = "Check your internet connection, then reload the page.";
export const reload = "Reload";

// Messages of pages that are used before the scripts of those pages have loaded: a file of messages loads as a whole
export const yourAccount = "Your account";
export const amazonProduct = "Amazon Product";
export const amazonProductWithId = (id: string) => `Amazon Product: ${id}`;

/** The captions, in the order of the video. */
export const demoVideoSteps = {
  paste: "Paste an Amazon link",
  copy: "Copy your short link",
  share: "Share it anywhere",
  tap: "One tap opens the Amazon app",
  tag: "Your tag comes along",
} as const;
