export { DOMAIN_STATE_NAMES, domainsOptions, useUsableDomains } from "./api.ts";
export { DomainSelect, useDomainChoice } from "./domain-select.tsx";
export { DOMAIN_PROBLEMS } from "./domain-status.tsx";
