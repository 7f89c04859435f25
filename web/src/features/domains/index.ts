export { DOMAIN_STATE_NAMES, domainsOptions, FAILED_TO_CHECK_DOMAIN, useUsableDomains } from "./api.ts";
export { DomainSelect, useDomainChoice } from "./domain-select.tsx";
