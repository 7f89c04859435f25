import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { useNavigate, useParams } from "react-router-dom";
import { Button } from "../../components/ui/button.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { Clicks } from "../../features/clicks/clicks.tsx";
import { useCreateLinkOnce } from "../../features/link-generation/use-create-link-once.ts";
import { useBackToList } from "../../features/links/back-to-list.ts";
import { DetailsError, DetailsSkeleton } from "../../features/links/detail/details-error.tsx";
import { HealthCard } from "../../features/links/detail/health-card.tsx";
import { LinkDetails } from "../../features/links/detail/link-details.tsx";
import { isNotFound, linkOptions } from "../../features/links/get-link.ts";
import { isUsable } from "../../features/links/link-state.tsx";
import { LinkRoutingCard } from "../../features/routing/link-routing-card.tsx";
import { AddTag } from "../../features/tags/add-tag.tsx";
import { TagWarning } from "../../features/tags/tag-note.tsx";
import { useNavigateOnce } from "../../lib/use-navigate-once.ts";
import { LinkTools } from "../link-tools.tsx";
import { paths } from "../paths.ts";
import { ToolCards } from "../tool-cards.tsx";

export default function LinkDetail() {
  const { shortCode = "" } = useParams();
  const navigate = useNavigate();
  const navigateOnce = useNavigateOnce();
  const goBack = useBackToList(paths.dashboard);
  const { data, isPending, error } = useQuery(linkOptions(shortCode));
  const link = isNotFound(error) ? undefined : data;

  return (
    <div className="mx-auto w-full max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      {isPending && <DetailsSkeleton />}
      {!isPending && !link && (
        <DetailsError
          isDeleted={data !== undefined}
          onReturn={() => navigateOnce(() => navigate(paths.dashboard))}
        />
      )}
      {link && (
        <>
          <div className="flush-text mb-4 sm:mb-6">
            <Button variant="quiet" onClick={goBack}>
              {messages.backToList}
            </Button>
          </div>
          <LinkDetails
            key={link.id}
            link={link}
            onDeleted={goBack}
            onRenamed={(code) => navigate(paths.link(code), { replace: true })}
            tools={isUsable(link) && <LinkTools link={link} look="tile" />}
            warning={
              isUsable(link) && (
                <TagWarning url={link.webUrl}>
                  <AddTagToLink key={link.shortCode} link={link} />
                </TagWarning>
              )
            }
            clicks={<Clicks shortCode={link.shortCode} />}
          >
            {isUsable(link) && (
              <>
                <HealthCard link={link} />
                <LinkRoutingCard link={link} />
                <ToolCards
                  link={link}
                  storesPath={paths.stores}
                  statusPath={paths.appOpeningStatus}
                />
              </>
            )}
          </LinkDetails>
        </>
      )}
    </div>
  );
}

/** Creates one of the user's links again, with their tag, and goes to the new link. */
function AddTagToLink({ link }: { link: Link }) {
  const navigate = useNavigate();
  const toast = useToast();
  const { isPending, create } = useCreateLinkOnce({
    onGenerated: () =>
      toast({ title: messages.linkGenerated, description: messages.redirectingToDetails }),
    onReady: ({ shortCode }) => navigate(paths.link(shortCode)),
  });
  return <AddTag url={link.originalUrl} isMember pending={isPending} onTagged={create} />;
}
