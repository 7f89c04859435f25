import type { GeneratedLink } from "@tapthru/proto/generate";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { copyText, LINK_COPIED } from "../../../components/copy-button.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";

/**
 * The text that the page's address gives for its link field: `?url=`. Any site can open such an address, so the link is
 * created only when the user clicks a button. That also lets the page copy it.
 */
export function usePrefilledLink() {
  const { search } = useLocation();
  const [text, setText] = useState<string>();
  const toast = useToast();
  const copying = useRef<{ isDone: Promise<boolean>; resolve: (shortUrl: string) => void }>(null);
  // The prerendered page does not know the address.
  useEffect(() => setText(new URLSearchParams(search).get("url") || undefined), [search]);

  return {
    text,
    /** Begins to copy the link that a click creates from the text. */
    begin() {
      if (text === undefined) return;
      let resolve: (shortUrl: string) => void = () => {};
      const shortUrl = new Promise<string>((known) => {
        resolve = known;
      });
      const isDone = copyText(shortUrl).then(
        () => true,
        () => false,
      );
      copying.current = { isDone, resolve };
    },
    /** Ends to copy it. @returns whether it was copied, and a toast says so */
    async copy({ shortUrl }: GeneratedLink): Promise<boolean> {
      const { isDone, resolve } = copying.current ?? {};
      copying.current = null;
      setText(undefined);
      resolve?.(shortUrl);
      if (!(await isDone)) return false;
      toast({ title: "Copied!", description: LINK_COPIED });
      return true;
    },
  };
}
