export const searchAllLinks = "Search the links of all users";
export const searchAllLinksPlaceholder = "Short code, destination, tag, username or email";
export const noLinkFound = "No link was found.";
export const noRecentLinkFound = "None of the latest links matches. Search older ones:";
export const selectLink = (name: string) => `Select ${name}`;
export const takeDown = "Take down";
export const restore = "Let work again";
export const linksOfOwner = "All links of this user";
export const linksOfSameAddress = "Links from the same address";
export const showAllLinks = "Show all links";
export const takeAllDown = "Take all down";
export const restoreAll = "Let all work again";
const takeAllDownText =
  "Visitors see that the links no longer work. Links that are created later are not included.";
export const restoreAllText = "Links that were taken down one by one stay taken down.";
export const linksOfUser = (name: string) => ({
  title: name ? `Links of ${name}` : "Links of one user",
  confirmTakeDown: `Take down all links of ${name || "this user"}?`,
  confirmRestore: `Let all links of ${name || "this user"} work again?`,
  takeDownText: takeAllDownText,
});
export const linksOfBlockedUser =
  "The user is disabled, and their links are closed. To let the links work again, enable the user.";
export const linksOfAddress = {
  title: "Links that were created from one network address in the last 30 days",
  confirmTakeDown: "Take down all links from this address?",
  confirmRestore: "Let all links from this address work again?",
  takeDownText: `People who share a network have the same address: links of other users and visitors there are included. ${takeAllDownText}`,
};
/** Null: very many. */
const links = (count: number | null, one: string, several: string) =>
  count === 1 ? `1 link ${one}` : `${count ?? "Very many"} links ${several}`;
export const linksChanged = {
  takenDown: (count: number | null) => `${links(count, "was", "were")} taken down.`,
  restored: (count: number | null) => `${links(count, "works", "work")} again.`,
};
/** The worker changes them. */
export const linksAreChanged = {
  takenDown: (count: number | null) => `${links(count, "is", "are")} being taken down.`,
  restored: (count: number | null) =>
    `${links(count, "will work", "will work")} again within seconds.`,
};
export const undoTakeDown = "Select the links again and undo it there";
export const failedToTakeDown = "Not all links were changed. Please try again.";

export const searchDomains = "Search domains";
export const searchDomainsPlaceholder = "Domain or username";
export const noDomainFound = "No domain was found.";
/** For the operator, who cannot change the DNS of a user. */
export const domainProblemNames = {
  "no-record": "The DNS has no record of this name.",
  "wrong-record": "The name has a record that leads elsewhere.",
  "proof-missing": "The TXT record that proves whose domain it is is missing.",
  "dns-unavailable": "The DNS of this domain did not respond.",
  "http-unreachable": "Requests to port 80 do not arrive here.",
  "caa-forbids": "A CAA record does not allow the certificate authority.",
  "order-limit": "The certificate authority accepts no further order for now.",
  "authority-unavailable": "The certificate authority did not respond.",
  "order-refused": "The certificate authority refused to issue a certificate.",
  "https-unreachable": "Requests to port 443 do not arrive here.",
};
export const domainNextCheck = (time: string) => `next check ${time}`;
export const domainCertificate = (day: string) => `certificate until ${day}`;
export const domainWithoutCertificate = "no certificate";
