import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

type ShownLink = GeneratedLink | undefined;

const ShownLinkContext = createContext<[ShownLink, (link: ShownLink) => void]>([
  undefined,
  () => {},
]);

/** Shares the displayed link with the top bar, which stores it when a visitor goes to log in or sign up. */
export function ShownLinkProvider({ children }: { children: ReactNode }) {
  return <ShownLinkContext value={useState<ShownLink>()}>{children}</ShownLinkContext>;
}

export function useShownLink(): ShownLink {
  return useContext(ShownLinkContext)[0];
}

export function useSetShownLink(link: ShownLink): void {
  const [, setShownLink] = useContext(ShownLinkContext);
  useEffect(() => {
    setShownLink(link);
    return () => setShownLink(undefined);
  }, [link, setShownLink]);
}
