import type { Link } from "@tapthru/proto/links";
import { useState } from "react";
import { DomainSelect } from "../../../components/domain-select.tsx";
import { FormError } from "../../../components/ui/form.tsx";
import { useUsableDomains } from "../../../lib/domains.ts";
import { isUsable } from "../link-state.tsx";
import { refusalText, useChangeLink } from "./change-link.ts";

interface LinkDomainProps {
  link: Link;
  /** Called with the new short code. */
  onMoved: (shortCode: string) => void;
}

/** Moves a link to another domain. Nothing for users without one. */
export function LinkDomain({ link, onMoved }: LinkDomainProps) {
  const usable = useUsableDomains().map(({ host }) => host);
  // A link may be on a domain that is off.
  const hosts = [...new Set([...usable, ...(link.domain === null ? [] : [link.domain])])];
  const [refusal, setRefusal] = useState<string | null>(null);
  const { mutate } = useChangeLink({
    link,
    failure: "Failed to change the domain of the link. Please try again.",
    onChanged: (changed) => onMoved(changed.shortCode),
  });
  if (!isUsable(link) || hosts.length === 0) return null;

  function move(domain: string | null) {
    setRefusal(null);
    mutate({ domain }, { onError: (error) => setRefusal(refusalText(error)) });
  }

  return (
    <div className="mt-5">
      <DomainSelect label="Domain" hosts={hosts} value={link.domain} onSelect={move} />
      <FormError>{refusal ?? undefined}</FormError>
    </div>
  );
}
