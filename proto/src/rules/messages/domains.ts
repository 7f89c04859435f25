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
export const domainMixesScripts = "This name mixes letters of several scripts, and could be mistaken for another one.";
export const tooManyDomains = `You have ${DOMAINS_MAX_COUNT} domains, the maximum. Please remove one first.`;
export const rootLinkFixed = "This link opens at the start of its domain. It cannot get another short code or domain.";
