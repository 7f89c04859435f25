import { createLink } from "./shell.ts";

export const sharingTab = "Sharing";
export const sharing = "Share links from other apps";
export const sharingText =
  "Turn the product you are looking at into a short link, without copying its address.";
export const howToShare = "Create links from the Amazon app";

export const shareOnAndroid = "Android";
export const shareOnAndroidSteps = (productName: string, host: string) => [
  `Open ${host} in Chrome. In its menu, choose "Add to Home screen", then "Install".`,
  `In the Amazon app, tap "Share" on a product and choose ${productName}.`,
  `Tap "${createLink}". The short link is copied.`,
];

export const shareOnIphone = "iPhone and iPad";
/** The address of the copy button belongs to the fourth step. */
export const shareOnIphoneSteps = (productName: string) => [
  `Open the Shortcuts app, tap +, and name the shortcut "${productName}".`,
  'Tap the info button and turn on "Show in Share Sheet".',
  'Add the action "URL Encode". It encodes the "Shortcut Input".',
  'Add the action "Open URLs". As its URL, enter the address below, directly followed by the variable "URL Encoded Text".',
  `In the Amazon app, tap "Share" on a product, then "${productName}". Tap "${createLink}": the short link is copied.`,
];
export const copyShortcutAddress = "Copy the address for the shortcut";
export const addressCopied = "Address copied to clipboard";

export const shareOnComputer = "Computer";
export const bookmarkletName = (productName: string) => `Shorten with ${productName}`;
export const shareOnComputerSteps = [
  "Drag this link to your bookmarks bar. Or create a bookmark and paste the copied address as its URL.",
  "On a product's page, click the bookmark.",
  `Click "${createLink}". The short link is copied.`,
];
export const dragBookmarklet = "Drag this link to your bookmarks bar.";
export const copyBookmarklet = "Copy the address of the bookmark";
