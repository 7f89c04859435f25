import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

type ShownLink = GeneratedLink | undefined;

const ShownLinkContext = createContext<[ShownLink, (link: ShownLink) => void]>([
  undefined,
  () => {},
]);

/** Lets the top bar know which result is on the screen: it keeps it for who goes to sign up. */
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
