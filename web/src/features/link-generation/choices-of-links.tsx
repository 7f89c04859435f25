import { type ComponentType, lazy, Suspense } from "react";

const NewLinkChoices = lazy<ComponentType>(() =>
  import("./new-link-choices.tsx").catch(() => ({ default: () => null })),
);

/** The domain and the channel of the links that a user creates on a page. */
export function ChoicesOfLinks() {
  return (
    <Suspense>
      <NewLinkChoices />
    </Suspense>
  );
}
