import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { useLayoutEffect, useRef } from "react";
import { CopyButton, FAILED_TO_COPY_TEXT } from "../../../components/copy-button.tsx";
import { buttonClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { useConfig } from "../../../lib/config.ts";
import { useHost } from "../../../lib/use-host.ts";

const shareOnAndroidSteps = (productName: string, host: string) => [
  `Open ${host} in Chrome. In its menu, choose "Add to Home screen", then "Install".`,
  `In the Amazon app, tap "Share" on a product and choose ${productName}.`,
  'Tap "Create link". The short link is copied.',
];

/** The address of the copy button belongs to the fourth step. */
const shareOnIphoneSteps = (productName: string) => [
  `Open the Shortcuts app, tap +, and name the shortcut "${productName}".`,
  'Tap the info button and turn on "Show in Share Sheet".',
  'Add the action "URL Encode". It encodes the "Shortcut Input".',
  'Add the action "Open URLs". As its URL, enter the address below, directly followed by the variable "URL Encoded Text".',
  `In the Amazon app, tap "Share" on a product, then "${productName}". Tap "Create link": the short link is copied.`,
];

const SHARE_ON_COMPUTER_STEPS = [
  "Drag this link to your bookmarks bar. Or create a bookmark and paste the copied address as its URL.",
  "On a product's page, click the bookmark.",
  'Click "Create link". The short link is copied.',
];

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
      <Card title="Android">
        <Steps steps={shareOnAndroidSteps(productName, host)} />
      </Card>
      <Card title="iPhone and iPad">
        <Steps steps={shareOnIphoneSteps(productName)} />
        <p className="mt-4 flex flex-wrap items-center justify-between gap-x-2 rounded-xl bg-sunken py-1 pr-1 pl-4">
          <code className="min-w-0 flex-1 basis-40 wrap-anywhere">{shortcutAddress}</code>
          <CopyButton text={shortcutAddress} label="Copy the address for the shortcut" failure={FAILED_TO_COPY_TEXT} />
        </p>
      </Card>
      <Card title="Computer">
        <Steps steps={SHARE_ON_COMPUTER_STEPS} />
        <p className="mt-4 flex flex-wrap items-center gap-2">
          <BookmarkletLink code={bookmarklet} name={`Shorten with ${productName}`} />
          <CopyButton text={bookmarklet} label="Copy the address of the bookmark" failure={FAILED_TO_COPY_TEXT} />
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
        toast({ title: name, description: "Drag this link to your bookmarks bar." });
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
