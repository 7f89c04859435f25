import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { useLayoutEffect, useRef } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { buttonClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { useConfig } from "../../lib/config.ts";
import { useHost } from "../../lib/use-host.ts";

/**
 * How to send an Amazon link to this site from another app or page.
 * @param address the address of the page that receives it
 */
export function ShareGuide({ address }: { address: string }) {
  const { productName } = useConfig();
  const host = useHost();
  const shortcutAddress = `${address}?text=`;
  const bookmarklet = `javascript:void open("${address}?url="+encodeURIComponent(location.href))`;
  return (
    <>
      <Card title={messages.shareOnAndroid}>
        <Steps steps={messages.shareOnAndroidSteps(productName, host)} />
      </Card>
      <Card title={messages.shareOnIphone}>
        <Steps steps={messages.shareOnIphoneSteps(productName)} />
        <p className="mt-4 flex flex-wrap items-center justify-between gap-x-2 rounded-xl bg-sunken py-1 pr-1 pl-4">
          <code className="min-w-0 flex-1 basis-40 wrap-anywhere">{shortcutAddress}</code>
          <CopyButton
            text={shortcutAddress}
            label={messages.copyShortcutAddress}
            failure={messages.failedToCopyText}
            success={messages.addressCopied}
          />
        </p>
      </Card>
      <Card title={messages.shareOnComputer}>
        <Steps steps={messages.shareOnComputerSteps} />
        <p className="mt-4 flex flex-wrap items-center gap-2">
          <BookmarkletLink code={bookmarklet} name={messages.bookmarkletName(productName)} />
          <CopyButton
            text={bookmarklet}
            label={messages.copyBookmarklet}
            failure={messages.failedToCopyText}
            success={messages.addressCopied}
          />
        </p>
      </Card>
    </>
  );
}

/** A link to drag to the bookmarks bar. Here it does nothing: the policy of the site forbids such addresses. */
function BookmarkletLink({ code, name }: { code: string; name: string }) {
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

function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className="flex list-decimal flex-col gap-2 pl-6 leading-6 wrap-anywhere marker:text-muted">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** Apps put the address of a page into any of these, with other words around it. */
const PARAMETERS = ["url", "text", "title"];

/** What was shared with the site: the Amazon link in it, otherwise the whole text. Empty if nothing was shared. */
export function sharedText(search: string): string {
  const params = new URLSearchParams(search);
  const text = PARAMETERS.map((name) => params.get(name)?.trim())
    .filter(Boolean)
    .join(" ");
  return findAmazonUrl(text) ?? text;
}
