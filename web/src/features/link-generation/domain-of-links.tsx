import { type ComponentType, lazy, Suspense } from "react";
import { useConfig } from "../../lib/config.ts";

const DomainChoice = lazy<ComponentType>(() =>
  import("./domain-choice.tsx").catch(() => ({ default: () => null })),
);

/** The domain of the links that a user creates on a page. */
export function DomainOfLinks() {
  const { hasDomains } = useConfig();
  return (
    hasDomains && (
      <Suspense>
        <DomainChoice />
      </Suspense>
    )
  );
}
