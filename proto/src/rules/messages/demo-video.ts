export const howItWorks = "How it works";
/** The captions, in the order of the video. */
export const demoVideoSteps = {
  paste: "Paste an Amazon link",
  copy: "Copy your short link",
  share: "Share it anywhere",
  tap: "One tap opens the Amazon app",
  tag: "Your tag comes along",
} as const;
export const demoVideoLabel = "Demo: from an Amazon link to the Amazon app";
