import { messages } from "@tapthru/proto/rules/messages";
import { Suspense } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { BatchPanel } from "./batch/batch-panel.ts";
import { useLinkBatch } from "./batch/use-link-batch.ts";
import { ChannelOfLinks } from "./channel-of-links.tsx";
import { useSetLinkShown } from "./link-shown.tsx";
import { useNewLinks } from "./new-links.ts";
import { PageDrop } from "./page-drop.tsx";
import { readLinks } from "./read-link.ts";
import { usePagePaste } from "./use-page-paste.ts";

/** Creates links that are pasted or dropped on a page without a link field, and shows the results. */
export function PageLinks({ pathOf }: { pathOf: (shortCode: string) => string }) {
  const showError = useErrorToast();
  const batch = useLinkBatch();
  const newLinks = useNewLinks();
  useSetLinkShown(batch.links.length > 0);

  function add(text: string): boolean {
    const addresses = readLinks(text);
    if (addresses.length > 0) batch.add(addresses, newLinks.now());
    return addresses.length > 0;
  }

  usePagePaste(add);
  return (
    <>
      <PageDrop onText={(text) => add(text) || showError(messages.enterValidAmazonUrl)} />
      {/* Touch screens have no keyboard to paste with. */}
      <div className="hidden sm:pointer-fine:block">
        <ChannelOfLinks newLinks={newLinks} />
      </div>
      {batch.lines.length > 0 && (
        <div className="mb-6">
          <Suspense>
            <BatchPanel batch={batch} pathOf={pathOf} />
          </Suspense>
        </div>
      )}
    </>
  );
}
