import { useQuery } from "@tanstack/react-query";
import { PATTERNS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { ItemsCard } from "../../components/revocable-items/items-card.tsx";
import { patternsOptions } from "./api/patterns.ts";
import { PatternForm } from "./pattern-form.tsx";
import { PatternItem } from "./pattern-item.tsx";

/** The section of the account in which the user creates and revokes link patterns. */
export function LinkPatterns() {
  return (
    <ItemsCard
      title={messages.linkPatterns}
      text={messages.linkPatternsText}
      texts={{
        add: messages.newPattern,
        empty: messages.noPatterns,
        failed: messages.patternsNotLoaded,
        tooMany: messages.tooManyPatterns,
      }}
      maxCount={PATTERNS_MAX_COUNT}
      query={useQuery(patternsOptions)}
      item={(pattern, onRevoked) => <PatternItem pattern={pattern} onRevoked={onRevoked} />}
      form={(close) => <PatternForm onClose={close} />}
    />
  );
}
