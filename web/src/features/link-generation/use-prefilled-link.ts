import type { GeneratedLink } from "@tapthru/proto/generate";
import { useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { copyText } from "../../components/copy-button.tsx";
import { useToast } from "../../components/ui/toaster.tsx";

/**
 * The text that the page's address gives for its link field: `?url=`. Any site can open such an address, so the link is
 * created only when the user presses a button. That also lets the page copy it.
 */
export function usePrefilledLink() {
  const { search } = useLocation();
  const [text, setText] = useState<string>();
  const toast = useToast();
  // The prerendered page does not know the address.
  useEffect(() => setText(new URLSearchParams(search).get("url") || undefined), [search]);

  return {
    text,
    /** Copies the link created from the text. @returns whether it was copied, and a toast says so */
    async copy({ shortUrl }: GeneratedLink): Promise<boolean> {
      if (text === undefined) return false;
      setText(undefined);
      try {
        await copyText(shortUrl);
      } catch {
        return false;
      }
      toast({ title: "Copied!", description: "Link copied to clipboard" });
      return true;
    },
  };
}
