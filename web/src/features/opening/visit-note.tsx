import { messages } from "@tapthru/proto/rules/messages";
import type { StayReason } from "@tapthru/proto/rules/routing/explain-visit";
import { textLinkClass } from "../../components/ui/button.tsx";
import type { ExplainedVisit } from "./use-visit.ts";

/** Says where visitors from a country go, and why. */
export function VisitNote({ visit }: { visit: ExplainedVisit }) {
  return (
    <p aria-live="polite" className="mt-2 text-md leading-6 text-pretty">
      {visit.hasFailed ? (
        <>
          {messages.failedToLoadVisit}{" "}
          <button type="button" onClick={visit.retry} className={textLinkClass}>
            {messages.tryAgain}
          </button>
        </>
      ) : (
        noteText(visit)
      )}
    </p>
  );
}

function noteText({ explanation, routedPage }: ExplainedVisit): string {
  if (explanation === null) return messages.loadingRouting;
  if (explanation.kind === "stays") {
    return STAYS[explanation.reason](explanation.stores.map((store) => `amazon.${store}`));
  }
  const { kind, marketplace } = explanation.route;
  const text = kind === "product" ? messages.visitsProduct : messages.visitsSearch;
  return text(`amazon.${marketplace}`, routedPage?.tag ?? "");
}

const STAYS: Record<StayReason, (stores: readonly string[]) => string> = {
  "no-store": () => messages.staysInOtherCountries,
  "own-store": messages.staysInOwnStore,
  off: () => messages.staysWhileOff,
  attribution: () => messages.staysForAttribution,
  "one-link": messages.staysForOneLink,
  "no-tag": messages.staysWithoutTag,
  "not-sold": messages.staysIfNotSold,
};
