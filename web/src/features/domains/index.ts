export {
  DOMAIN_STATE_NAMES,
  DomainSelect,
  domainsOptions,
  useDomainChoice,
  useUsableDomains,
} from "./domain-choice.tsx";
export { DOMAIN_PROBLEMS } from "./domain-status.tsx";
