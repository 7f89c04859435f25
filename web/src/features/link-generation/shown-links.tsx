import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

type ShownLinks = readonly GeneratedLink[];

const NO_LINKS: ShownLinks = [];

const ShownLinksContext = createContext<[ShownLinks, (links: ShownLinks) => void]>([
  NO_LINKS,
  () => {},
]);

/** Shares the displayed new links with the layout. */
export function ShownLinksProvider({ children }: { children: ReactNode }) {
  return <ShownLinksContext value={useState(NO_LINKS)}>{children}</ShownLinksContext>;
}

export function useShownLinks(): ShownLinks {
  return useContext(ShownLinksContext)[0];
}

export function useSetShownLinks(links: ShownLinks): void {
  const [, setShownLinks] = useContext(ShownLinksContext);
  useEffect(() => {
    // A change of the context would make React replace prerendered parts whose scripts have not loaded.
    setShownLinks(links.length > 0 ? links : NO_LINKS);
    return () => setShownLinks(NO_LINKS);
  }, [links, setShownLinks]);
}
