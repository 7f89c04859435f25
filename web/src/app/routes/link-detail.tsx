import type { Link } from "@tapthru/proto/links";
import { LINK_TABS, paths } from "@tapthru/proto/rules/paths";
import { useRef, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router-dom";
import { Button, textLinkClass } from "../../components/ui/button.tsx";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { TagWarning } from "../../features/channels/tag-note.tsx";
import { Clicks } from "../../features/clicks/clicks.tsx";
import { LinkEarnings, LinkFigures } from "../../features/earnings/link-earnings.tsx";
import { useBackToList } from "../../features/links/back-to-list.ts";
import { HealthCard, hasHealthProblem } from "../../features/links/detail/health-card.tsx";
import { LinkOpening } from "../../features/links/detail/link-cards.tsx";
import { TagSourceButton } from "../../features/links/detail/link-channel.tsx";
import { LINK_TAB_NAMES, LinkHeader, LinkTabs } from "../../features/links/detail/link-header.tsx";
import { LinkOverview } from "../../features/links/detail/link-overview.tsx";
import { ShortLinkCard } from "../../features/links/detail/short-link-card.tsx";
import { isNotFound, useLink } from "../../features/links/get-link.ts";
import { isUsable } from "../../features/links/link-state.tsx";
import { LinkTools } from "../../features/links/sharing/link-tools.tsx";
import { TagOfChannel } from "../../features/links/tags/tag-form.tsx";
import { UnknownTag } from "../../features/links/tags/unknown-tag.tsx";
import { LinkRoutingCard } from "../../features/routing/routing.tsx";
import { SharedPages } from "../../features/shared-pages/shared-pages.tsx";
import { useFocusAfterChange, useFocusWhenShown } from "../../lib/focus.ts";
import { unlessOffline } from "../../lib/http/http-client.ts";
import { useDisplayName } from "../../lib/use-host.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { Loading } from "../session-guards.tsx";

export default function LinkDetail() {
  const { shortCode = "" } = useParams();
  const goBack = useBackToList();
  const { data, isPending, error } = useLink(shortCode);
  const link = isNotFound(error) ? undefined : data;

  return (
    <div className="mx-auto w-full max-w-page px-4 pt-6 pb-12 sm:px-6">
      {isPending && (
        <div className="flex min-h-dvh">
          <Loading text="Loading..." />
        </div>
      )}
      {!isPending && !link && <DetailsError isDeleted={data !== undefined} onReturn={() => goBack(true)} />}
      {link && (
        <>
          {/* The button has no fill: its text is aligned with that of the page. */}
          <div className="mb-2 -ml-4 sm:-ml-5 print:hidden [&_:focus-visible]:-outline-offset-2">
            <Button variant="place" onClick={({ detail }) => detail < 2 && goBack(false)}>
              {"< Back to List"}
            </Button>
          </div>
          <Details key={link.id} link={link} onDeleted={() => goBack(true)} />
        </>
      )}
    </div>
  );
}

function Details({ link, onDeleted }: { link: Link; onDeleted: () => void }) {
  const name = useDisplayName(link);
  const params = useParams();
  const tabs = LINK_TABS.filter((each) => each !== "opening" || isUsable(link));
  const tab = tabs.find((each) => each === params.tab);
  usePageTitle(tab === undefined ? name : `${LINK_TAB_NAMES[tab]}: ${name}`);
  const content = useRef<HTMLDivElement>(null);
  // What warns of a tag has the buttons that give the link another one.
  useFocusAfterChange(`${link.webUrl} ${link.tagSource} ${link.hasUnknownTag}`, content);
  return (
    <div ref={content} tabIndex={-1} className="@container flex flex-col gap-4 outline-none">
      <LinkHeader link={link} tools={isUsable(link) && <LinkTools link={link} look="tile" />} />
      {isUsable(link) && (
        <TagWarning url={link.webUrl}>
          <TagSourceButton link={link} />
          <TagOfChannel link={link} />
        </TagWarning>
      )}
      {isUsable(link) && <UnknownTag link={link} channelId={link.channelId} />}
      <LinkTabs link={link} tabs={tabs} />
      {tab === undefined && (
        <LinkOverview link={link} onDeleted={onDeleted}>
          <LinkFigures shortCode={link.shortCode} />
        </LinkOverview>
      )}
      {tab === "clicks" && (
        <>
          <Clicks shortCode={link.shortCode}>
            <LinkEarnings shortCode={link.shortCode} />
          </Clicks>
          <SharedPages linkId={link.id} />
        </>
      )}
      {tab === "opening" && (
        <>
          <LinkOpening link={link} />
          <LinkRoutingCard link={link} />
        </>
      )}
      {tab === "settings" && <Settings link={link} />}
    </div>
  );
}

function Settings({ link }: { link: Link }) {
  const navigate = useNavigate();
  const { state } = useLocation();
  // The card stays after a check that found something wrong, so that its text can be read.
  const [hadNoProblem] = useState(!hasHealthProblem(link));
  return (
    <>
      <ShortLinkCard
        link={link}
        onRenamed={(code) => navigate(paths.link(code, "settings"), { replace: true, state })}
      />
      {isUsable(link) && hadNoProblem && <HealthCard link={link} />}
      <PageLink to={`${paths.activity}?${new URLSearchParams({ q: link.shortCode })}`} className={textLinkClass}>
        What was changed of this link
      </PageLink>
    </>
  );
}

interface DetailsErrorProps {
  /** The link was displayed before, and no longer exists. */
  isDeleted: boolean;
  onReturn: () => void;
}

function DetailsError({ isDeleted, onReturn }: DetailsErrorProps) {
  const message = isDeleted ? "This link was deleted." : unlessOffline("Error loading link details. Please try again.");
  usePageTitle(isDeleted ? "Link deleted" : message);
  const heading = useFocusWhenShown<HTMLHeadingElement>();
  return (
    <LoadingFailed
      message={
        <h1 ref={heading} tabIndex={-1} className="outline-none">
          {message}
        </h1>
      }
      action="Return to Dashboard"
      onAction={onReturn}
    />
  );
}
