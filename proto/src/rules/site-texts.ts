export const homeTitle = "Amazon links that open in the app";

export const homeTagline =
  "Paste a link, share the short one. On a phone it opens the Amazon app, and your tag stays on it.";
