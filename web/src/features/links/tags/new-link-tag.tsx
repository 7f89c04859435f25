import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { paths } from "@tapthru/proto/rules/paths";
import { PageLink } from "../../../components/ui/links.tsx";
import { TagNote } from "../../channels/index.ts";
import { UnknownTag, type UnknownTagProps } from "./unknown-tag.tsx";

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
