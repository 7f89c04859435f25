import { useQuery } from "@tanstack/react-query";
import { type AppPage, appChoices, appStoreText, ENGLISH } from "@tapthru/proto/rules/app-opening/app-page";
import { buildDeepLink, type RedirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { amazonCard, type MetaTag, socialTags } from "@tapthru/proto/rules/social-card";
import { type ReactNode, useEffect } from "react";
import { buttonClass, textLinkClass } from "../../../components/ui/button.tsx";
import { OutsideLink } from "../../../components/ui/links.tsx";
import { PageTitle } from "../../../components/ui/page.tsx";
import { useConfig } from "../../../lib/config.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { openOutside } from "../../../lib/leave.ts";
import type { Opening } from "./opening.ts";

/** The choices on a phone, as plain links. The words are the same where only a tap opens the app. */
export function AppOpening({ page, isTried }: { page: AppPage; isTried: boolean }) {
  const choices = appChoices({ ...page, strategy: { ...page.strategy, mode: "auto" } });
  return (
    <OpeningFrame isTried={isTried}>
      {page.strategy.escape === "by-hand" && <p className="text-balance text-muted">{ENGLISH.openByHand}</p>}
      <div className="flex flex-col gap-3">
        {choices.map(({ kind, text, url }, index) => (
          <OutsideLink key={kind} href={url} className={buttonClass(index === 0 ? "primary" : "outline")}>
            {text}
          </OutsideLink>
        ))}
      </div>
      <p className="text-muted">
        {ENGLISH.noAmazonApp}
        <br />
        <OutsideLink href={page.storeUrl} className={textLinkClass}>
          {appStoreText(page.strategy)}
        </OutsideLink>
      </p>
    </OpeningFrame>
  );
}

export function WebOpening({ webUrl }: { webUrl: string }) {
  return (
    <OpeningFrame isTried>
      <OutsideLink href={webUrl} className={buttonClass("primary")}>
        {ENGLISH.openInBrowser}
      </OutsideLink>
    </OpeningFrame>
  );
}

/** @param isTried the page opens something by itself: its choices follow when that has taken too long */
function OpeningFrame({ isTried, children }: { isTried: boolean; children: ReactNode }) {
  return (
    <section className="mx-auto flex w-full max-w-form flex-1 flex-col justify-center gap-6 px-4 py-10 text-center sm:px-6">
      <PageTitle>{ENGLISH.openingAmazon}</PageTitle>
      <div className={`flex flex-col gap-6 ${isTried ? "animate-show-late" : ""}`}>
        <p className="text-balance text-muted">{ENGLISH.appDidNotOpen}</p>
        {children}
      </div>
    </section>
  );
}

let hasTried = false;

/** Neither a reload nor a back/forward navigation. */
export function isArrival(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return !navigation || navigation.type === "navigate";
}

/**
 * Opens the app as soon as the page is visible, which it is not while prerendering. It does so once per document, and
 * not after a reload or a back/forward navigation.
 * @returns a function that cancels a pending attempt
 */
export function openAppOnce(appLink: string): () => void {
  if (!isArrival()) return () => {};

  const abortController = new AbortController();
  const open = () => {
    if (hasTried || document.visibilityState !== "visible") return;
    hasTried = true;
    openOutside(appLink);
  };
  document.addEventListener("visibilitychange", open, { signal: abortController.signal });
  open();
  return () => abortController.abort();
}

export function useAutoOpen(opening: Opening | undefined): void {
  useEffect(() => {
    if (opening?.kind === "app" && opening.isAutomatic) return openAppOnce(opening.page.appLink);
    if (opening?.kind === "web") openOutside(opening.webUrl, "replace");
    return undefined;
  }, [opening]);
}

const UNKNOWN = { title: null, description: null, imageUrl: null, siteName: null };
const ROBOTS: MetaTag = { attribute: "name", key: "robots", content: "noindex, nofollow" };

export function OpeningTags({ target }: { target: RedirectTarget }) {
  const { publicBaseUrl, productName } = useConfig();
  const { productId, marketplace, webUrl } = target;
  const { data: metadata = UNKNOWN, error } = useQuery({
    queryKey: ["/api/metadata", productId, marketplace],
    queryFn: ({ signal }) => callApi("GET /api/metadata", { query: { product_id: productId, marketplace }, signal }),
  });
  useEffect(() => {
    if (error) console.warn("Failed to load the product's metadata:", error);
  }, [error]);

  useEffect(() => {
    const pageUrl = buildDeepLink(publicBaseUrl, productId, webUrl);
    const card = amazonCard({ ...metadata, webUrl }, { pageUrl, productName });
    document.title = card.title;
    return setMetaTags([...socialTags(card), ROBOTS]);
  }, [publicBaseUrl, productName, productId, webUrl, metadata]);
  return null;
}

const CARD = 'meta[property^="og:"], meta[name^="twitter:"], meta[name="description"]';

/**
 * Replaces the social tags in the document's head.
 * @returns a function that restores the previous tags
 */
function setMetaTags(tags: readonly MetaTag[]): () => void {
  const before = document.head.querySelectorAll(CARD);
  const after = tags.map(metaElement);
  for (const tag of before) tag.remove();
  document.head.append(...after);
  return () => {
    for (const tag of after) tag.remove();
    document.head.append(...before);
  };
}

function metaElement({ attribute, key, content }: MetaTag): HTMLMetaElement {
  const tag = document.createElement("meta");
  tag.setAttribute(attribute, key);
  tag.content = content;
  return tag;
}
