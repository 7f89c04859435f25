import type { GeneratedLink } from "@tapthru/proto/generate";
import type { Link } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { paths } from "@tapthru/proto/rules/paths";
import { useState } from "react";
import { PageLink } from "../../../components/ui/links.tsx";
import { Action } from "../../../kit/action.tsx";
import { usePermission } from "../../../kit/can.tsx";
import { channelTag, findChannel, TagNote, useChannels } from "../../channels/index.ts";

export interface UnknownTagProps {
  link: Pick<GeneratedLink, "shortCode" | "originalUrl" | "hasUnknownTag"> & Partial<Pick<Link, "webUrl">>;
  /** Null is the default channel. */
  channelId: number | null;
}

export function UnknownTag({ link, channelId }: UnknownTagProps) {
  const { shortCode, originalUrl, hasUnknownTag, webUrl } = link;
  const may = usePermission("PATCH /api/links/:shortCode");
  const channels = useChannels();
  const [changed, setChanged] = useState<string>();
  const page = parseStorePage(originalUrl);
  // Something else may have changed it since, if that is known.
  const isCurrent = webUrl === undefined || parseStorePage(webUrl)?.tag === changed;
  if (changed !== undefined && isCurrent)
    return <p role="status" className="text-sm leading-5">{`The tag of this link is ${changed}.`}</p>;
  if (!may || !hasUnknownTag || page === null) return null;
  const own = channelTag(findChannel(channels, channelId), page.marketplace);
  const choice = (tagSource: "own" | "channel") => ({
    input: { params: { shortCode }, body: { tagSource } },
    failed: "Failed to change the tag. Please try again.",
    onDone: (reply: Link | undefined) => reply && setChanged(parseStorePage(reply.webUrl)?.tag ?? ""),
  });
  return (
    <div className="grid gap-2 rounded-xl bg-notice p-3 text-sm leading-5 text-notice-ink">
      <p className="text-pretty wrap-anywhere">
        <bdi className="font-semibold">{page.tag}</bdi> is not one of your tags. If it is someone else’s, they earn from
        this link.
      </p>
      <div className="flex flex-wrap gap-2">
        {own && <Action call="PATCH /api/links/:shortCode" {...choice("channel")} label={`Use ${own}`} />}
        <Action call="PATCH /api/links/:shortCode" {...choice("own")} label="It is mine" variant="quiet" />
      </div>
    </div>
  );
}

export interface NewLinkTagProps {
  link: UnknownTagProps["link"] & Pick<UnknownTagProps, "channelId"> & { lacksChannelTag: boolean };
  /** True for one of several links: it says only what costs money. */
  isBrief: boolean;
}

export default function NewLinkTag({ link, isBrief }: NewLinkTagProps) {
  const store = parseStorePage(link.originalUrl)?.marketplace;
  if (link.hasUnknownTag) return <UnknownTag link={link} channelId={link.channelId} />;
  if (!link.lacksChannelTag) return isBrief ? null : <TagNote url={link.originalUrl} />;
  return (
    <p className="text-sm leading-5 font-medium text-notice-ink">
      {`No tag for amazon.${store}. `}
      <PageLink to={paths.stores} className="underline underline-offset-4">
        Add yours
      </PageLink>
    </p>
  );
}
