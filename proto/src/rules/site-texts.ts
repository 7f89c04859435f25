export const homeTitle = "Amazon links that open in the app";

export const homeTagline =
  "Taps inside Instagram or TikTok land in a browser where nobody is logged in to Amazon, and many give up. Your short link opens the app, with your tag.";
