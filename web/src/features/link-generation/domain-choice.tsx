import { messages } from "@tapthru/proto/rules/messages";
import { useEffect } from "react";
import { DomainSelect, useDomainChoice } from "../../components/domain-select.tsx";
import { newLinks } from "./api.ts";

/** Chooses the domain of the links that are created on this page. */
export default function DomainChoice() {
  const domains = useDomainChoice();
  useEffect(() => {
    newLinks.domain = domains.value;
    return () => {
      newLinks.domain = undefined;
    };
  }, [domains.value]);
  return <DomainSelect {...domains} label={messages.domainOfNewLinks} className="mt-3" />;
}
