import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { paths } from "@tapthru/proto/rules/paths";
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { CopyButton, FAILED_TO_COPY_TEXT } from "../../components/copy-button.tsx";
import { buttonClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Page } from "../../components/ui/page.tsx";
import { useIsSignedIn } from "../../features/session/session-context.tsx";
import { useConfig } from "../../lib/config.ts";
import { useHost } from "../../lib/use-host.ts";

/** Passes a shared text on to the field in which the user creates the link. Without one, it explains how to share. */
export default function Share() {
  const isSignedIn = useIsSignedIn();
  const text = sharedText(useLocation().search);
  if (text) {
    const pathname = isSignedIn ? paths.linkCreation : paths.home;
    return <Navigate replace to={{ pathname, search: `?${new URLSearchParams({ url: text })}` }} />;
  }
  return (
    <Page
      layout={isSignedIn ? "section" : "page"}
      title="Share links from other apps"
      intro="Turn the product you are looking at into a short link, without copying its address."
    >
      <ShareGuide />
    </Page>
  );
}

function ShareGuide() {
  const { productName, publicBaseUrl } = useConfig();
  const host = useHost();
  const address = `${publicBaseUrl}${paths.share}`;
  const shortcut = `${address}?text=`;
  const bookmarklet = `javascript:void open("${address}?url="+encodeURIComponent(location.href))`;
  return (
    <div className="flex flex-col gap-5">
      <Guide
        title="Android"
        steps={[
          `Open ${host} in Chrome. In its menu, choose "Add to Home screen", then "Install".`,
          `In the Amazon app, tap "Share" on a product and choose ${productName}.`,
          'Tap "Create link". The short link is copied.',
        ]}
      />
      <Guide
        title="iPhone and iPad"
        steps={[
          `Open the Shortcuts app, tap +, and name the shortcut "${productName}".`,
          'Tap the info button and turn on "Show in Share Sheet".',
          'Add the action "URL Encode". It encodes the "Shortcut Input".',
          'Add the action "Open URLs". As its URL, enter the address below, directly followed by the variable "URL Encoded Text".',
          `In the Amazon app, tap "Share" on a product, then "${productName}". Tap "Create link": the short link is copied.`,
        ]}
      >
        <code className="wrap-anywhere">{shortcut}</code>
        <CopyButton text={shortcut} label="Copy the address for the shortcut" failure={FAILED_TO_COPY_TEXT} />
      </Guide>
      <Guide
        title="Computer"
        steps={[
          "Drag this link to your bookmarks bar. Or create a bookmark and paste the copied address as its URL.",
          "On a product's page, click the bookmark.",
          'Click "Create link". The short link is copied.',
        ]}
      >
        {/* biome-ignore lint/a11y/useValidAnchor: only a link can be dragged to the bookmarks bar. */}
        <a
          // React replaces such an address in its own attribute.
          ref={(link) => link?.setAttribute("href", bookmarklet)}
          href="#bookmarklet"
          className={`${buttonClass("outline")} wrap-anywhere`}
          onClick={(event) => event.preventDefault()}
        >
          {`Shorten with ${productName}`}
        </a>
        <CopyButton text={bookmarklet} label="Copy the address of the bookmark" failure={FAILED_TO_COPY_TEXT} />
      </Guide>
    </div>
  );
}

function Guide({ title, steps, children }: { title: string; steps: readonly string[]; children?: ReactNode }) {
  return (
    <Card title={title}>
      <ol className="flex list-decimal flex-col gap-2 pl-6 leading-6 wrap-anywhere marker:text-muted">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {children && <p className="mt-4 flex flex-wrap items-center gap-2">{children}</p>}
    </Card>
  );
}

/** Apps put the address of a page into any of these, with other words around it. */
const PARAMETERS = ["url", "text", "title"];

/** Returns the Amazon link in what was shared with the site, otherwise the whole text; empty if nothing was shared. */
export function sharedText(search: string): string {
  const params = new URLSearchParams(search);
  const text = PARAMETERS.map((name) => params.get(name)?.trim())
    .filter(Boolean)
    .join(" ");
  return findAmazonUrl(text) ?? text;
}
