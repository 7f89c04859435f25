export const openingStatusTitle = "How often the Amazon app opens";
export const openingStatusIntro =
  "On a phone a short link opens the Amazon app. Here is how often that worked, by the app in which people tapped. All links are counted together.";
export const openingStatusPeriod = (days: number) => `Last ${days} days`;
export const openingStatusNone = (count: number) =>
  `There are no numbers yet. An app appears here after ${count} taps.`;
export const openingStatusFailed = "The open rates could not be loaded. Please try again.";
export const loadingOpeningStatus = "Loading open rates...";
export const appOnSystem = (app: string, system: string) => `${app} on ${system}`;
export const openedOf = (opened: string, tried: string) => `${opened} of ${tried} taps`;
export const howThisIsCounted = "How this is counted";
export const openingStatusRules = ({ seconds, reports }: { seconds: number; reports: number }) => [
  "A tap counts once: the Amazon app opened, or it did not.",
  "Opened: the person left our page. On Android we can't see for which app, so every tap after which they left counts.",
  `Not opened: our page was still in view after ${seconds} seconds, or the person chose another button. Some of them don't have the Amazon app.`,
  `Apps with fewer than ${reports} taps are not shown by themselves, so that nobody can be recognized. No link and no person is stored with these numbers.`,
];
export const howOftenThisWorks = "How often this works";
