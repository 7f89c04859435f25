import { useEffect } from "react";
import { DomainSelect, useDomainChoice } from "../../components/domain-select.tsx";
import type { NewLinks } from "./new-links.ts";

/** Chooses the domain of the links that are created on a page. */
export function DomainChoice({ newLinks: { setDomain } }: { newLinks: NewLinks }) {
  const domains = useDomainChoice();
  useEffect(() => setDomain(domains.value), [domains.value, setDomain]);
  return <DomainSelect {...domains} label="Domain of new links" className="mt-3" />;
}
