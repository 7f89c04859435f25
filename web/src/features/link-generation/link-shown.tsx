import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

const LinkShownContext = createContext<[boolean, (isShown: boolean) => void]>([false, () => {}]);

/** Tells the layout whether the page shows new links, which a reload would remove. */
export function LinkShownProvider({ children }: { children: ReactNode }) {
  return <LinkShownContext value={useState(false)}>{children}</LinkShownContext>;
}

export function useIsLinkShown(): boolean {
  return useContext(LinkShownContext)[0];
}

export function useSetLinkShown(isShown: boolean): void {
  const [, setIsShown] = useContext(LinkShownContext);
  useEffect(() => {
    setIsShown(isShown);
    return () => setIsShown(false);
  }, [isShown, setIsShown]);
}
