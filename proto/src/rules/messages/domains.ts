import { DOMAINS_MAX_COUNT } from "../limits.ts";

export const domainsOff = "Own domains are not available on this site.";
export const domainNotFound = "Domain not found.";
export const domainNotUsable = "This is not one of your working domains.";
export const domainRequired = "Please enter a domain";
export const domainMalformed = "Please enter a domain such as go.example.com";
export const domainIsAddress = "Please enter a name. An IP address cannot be used.";
export const domainIsPublicSuffix =
  "This is an ending under which others register their domains. Please enter a domain of your own.";
export const domainIsInternal = "This name does not exist on the public internet.";
export const domainIsOfSite = "This name belongs to this site. Please enter a domain of your own.";
export const domainLooksLikeOther =
  "This name is, or looks like, a name of Amazon or of this site. Please choose another one.";
export const domainMixesScripts =
  "This name mixes letters of several scripts, and could be mistaken for another one.";
export const tooManyDomains = `You have ${DOMAINS_MAX_COUNT} domains, the maximum. Please remove one first.`;
export const rootLinkFixed =
  "This link opens at the start of its domain. It cannot get another short code or domain.";

// The page of the account
export const domainsTab = "Domains";
export const ownDomains = "Own domains";
export const yourDomains = "Your domains";
export const domainsText =
  "Your links can have addresses of a domain of your own, such as go.example.com/mug. You set one record at the provider of its DNS; we do the rest.";
export const newDomain = "Add domain";
export const addDomain = "Add domain";
export const addingDomain = "Adding...";
export const noDomains = "You have no domains.";
export const domainsNotLoaded = "Your domains could not be loaded.";
export const domain = "Domain";
export const newDomainHint = "For example go.example.com";
export const failedToAddDomain = "Failed to add the domain. Please try again.";
export const domainReplyLost =
  "No reply arrived. If the domain is not in the list now, add it again.";
export const domainStates = {
  waiting: "Waiting for DNS",
  ordering: "Ordering certificate",
  works: "Works",
  failing: "Has a problem",
  off: "Off",
};
export const domainIsNew = "We are looking for the record now.";
export const domainIsProved = "The record is right. We are verifying that requests arrive here.";
export const domainWaits =
  "Set the record at the provider of your DNS. We look for it again and again; this page shows when it is right.";
export const domainStateTexts = {
  ordering: (host: string) =>
    `The record of ${host} is right. Its certificate is being ordered, which takes about a minute.`,
  works: (host: string) => `Links open under https://${host}.`,
  failing: (host: string) => `${host} worked, and has a problem now.`,
  off: (host: string) =>
    `${host} had a problem for a week and was turned off. Set the record and select 'Check now' to use it again.`,
};
export const domainProblems = {
  "no-record": "We see no record of this name.",
  "wrong-record": "The name has a record that leads elsewhere. Please replace it.",
  "proof-missing":
    "Another account may have a claim to this domain, or its record is an address and not a CNAME. Please also set the TXT record, which proves that it is yours.",
  "dns-unavailable": "The DNS of this domain did not respond. We try again.",
  "http-unreachable":
    "The record is right, but requests to port 80 do not arrive here. If a proxy such as Cloudflare is in front, set it to 'DNS only'.",
  "caa-forbids":
    "A CAA record of the domain does not allow our certificate authority. Please add letsencrypt.org to it, or remove it.",
  "order-limit":
    "The certificate authority accepts no further order for now. We try again by ourselves.",
  "authority-unavailable": "The certificate authority did not respond. We try again by ourselves.",
  "order-refused": "The certificate authority refused to issue a certificate. We try again later.",
  "https-unreachable":
    "There is a certificate, but requests to port 443 do not arrive here. Please turn off a proxy in front of the domain.",
};
export const domainOffAt = (date: string) =>
  `Without a change the domain is turned off on ${date}.`;
export const recordsToSet = (count: number) =>
  count === 1 ? "The record to set" : "The records to set";
export const recordsSeen = "What we see";
export const recordType = "Type";
export const recordName = "Name";
export const recordValue = "Value";
export const copyRecordName = "Copy name";
export const copyRecordValue = "Copy value";
export const recordCopied = "Copied for the settings of your DNS.";
export const failedToCopyRecord = "Failed to copy. Please select and copy it yourself.";
export const recordNameHint =
  'Some providers want the name without your domain: "go" for go.example.com, "@" for example.com itself, where ALIAS or ANAME often replaces CNAME.';
export const domainCheckedAt = (time: string) => `Checked ${time}`;
export const certificateUntil = (date: string) =>
  `Its certificate is valid until ${date}, and is renewed before.`;
export const checkDomain = "Check now";
export const checkDomainOf = (host: string) => `Check now: ${host}`;
export const domainIsChecked = "The domain is being checked.";
export const failedToCheckDomain = "The domain could not be checked. Please try again in a minute.";
export const makeDefaultDomain = "Use for new links";
export const stopDefaultDomain = "Don't use for new links";
export const isDefaultDomain = "New links are on this domain.";
export const isNotDefaultDomain = "New links are on this domain only if you choose it.";
export const changeRootUrl = "Change start page";
export const changeRootUrlOf = (host: string) => `Change start page of ${host}`;
export const rootUrl = "Amazon page for the domain itself";
export const rootUrlHint = "Leave it empty for a small page that says that there is no link.";
export const rootUrlIs = (url: string) => `The domain itself leads to ${url}`;
export const noRootUrl = "The domain itself shows a small page.";
export const linksOnDomain = (count: number) => (count === 1 ? "1 link" : `${count} links`);
export const moreSettings = "More settings";
export const fewerSettings = "Fewer settings";
export const domainSecurity = "Security";
export const hsts = "Browsers refuse this domain without https (HSTS)";
export const hstsText =
  "For a year, also after you turn this off or use the domain elsewhere. Only for domains that always have https.";
export const domainChanged = "The domain was changed.";
export const failedToChangeDomain = "Failed to change the domain. Please try again.";
export const removeDomain = "Remove";
export const removeDomainOf = (host: string) => `Remove ${host}`;
export const removingDomain = "Removing...";
export const confirmRemoveDomain = (host: string) => `Remove "${host}"?`;
export const removeDomainConsequence = (host: string, siteHost: string, count: number) =>
  count === 0
    ? `No link is on ${host}.`
    : `${count === 1 ? "1 link ends" : `${count} links end`} at ${host}, wherever you shared ${count === 1 ? "it" : "them"}. ${count === 1 ? "It goes" : "They go"} on opening under ${siteHost}, with new addresses. If you add the domain again, the earlier addresses work again.`;
export const domainRemoved = "The domain was removed.";
export const domainRemovedBefore = "This domain had already been removed.";

// The domain of links
export const domainOfNewLinks = "Domain of new links";
export const domainOfImport = "Domain of the links";
export const failedToMoveLink = "Failed to change the domain of the link. Please try again.";
export const rootLinkOf = (host: string) =>
  `This link opens at ${host} itself. You can change it on the page of your domains.`;
export const moveLinks = (count: number) =>
  count === 1 ? "Domain of 1 link" : `Domain of ${count} links`;
export const moveLinksText =
  "The links keep their names, and open under their earlier addresses too.";
export const move = "Move";
export const movingLinks = "Moving...";
export const linksMoved = "The links were moved.";
export const linksNotMoved = (count: number) =>
  `${count === 1 ? "1 link was" : `${count} links were`} not moved: another link has the name there, or ${count === 1 ? "it cannot be changed" : "they cannot be changed"}.`;
export const failedToMoveLinks = "The links could not be moved. Please try again.";
