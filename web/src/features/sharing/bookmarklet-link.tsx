import { messages } from "@tapthru/proto/rules/messages";
import { useLayoutEffect, useRef } from "react";
import { buttonClass } from "../../components/ui/button.tsx";
import { useToast } from "../../components/ui/toaster.tsx";

/** A link to drag to the bookmarks bar. Here it does nothing: the policy of the site forbids such addresses. */
export function BookmarkletLink({ code, name }: { code: string; name: string }) {
  const ref = useRef<HTMLAnchorElement>(null);
  const toast = useToast();
  // React replaces such an address in its own attribute.
  useLayoutEffect(() => ref.current?.setAttribute("href", code), [code]);
  return (
    // biome-ignore lint/a11y/useValidAnchor: only a link can be dragged to the bookmarks bar.
    <a
      ref={ref}
      href="#bookmarklet"
      className={`${buttonClass("outline")} wrap-anywhere`}
      onClick={(event) => {
        event.preventDefault();
        toast({ title: name, description: messages.dragBookmarklet });
      }}
    >
      {name}
    </a>
  );
}
