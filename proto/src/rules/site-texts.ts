export const homeTitle = "Amazon links that open in the app";

export const homeTagline =
  "Paste a link, share the short one. On a phone it opens the Amazon app, and your tag stays on it.";

export const offlineTitle = "You're offline";
export const offlineText = "Check your internet connection, then reload the page.";
export const reload = "Reload";
