import type { GeneratedLink } from "@tapthru/proto/generate";
import { useEffect, useRef } from "react";
import { CopyTextButton, FAILED_TO_COPY_LINK } from "../../../components/copy-button.tsx";
import { LinkPicture } from "../../../components/link-picture.tsx";
import { ShortUrl } from "../../../components/short-url.tsx";
import { OutsideLink } from "../../../components/ui/links.tsx";
import { useDisplayName } from "../../../lib/use-host.ts";
import { TagNote } from "../../channels/index.ts";
import { LinkTools } from "../sharing/link-tools.tsx";
import { GuestTag } from "../tags/tag-form.tsx";

export interface CreatedLinkProps {
  link: GeneratedLink;
  onTagged: () => void;
}

/** On a phone, it and the notice below are shown above a toast. */
export default function CreatedLinkBox({ link, onTagged }: CreatedLinkProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => void box.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div ref={box} className="flex scroll-mb-4 flex-col gap-3 motion-safe:animate-appear sm:-scroll-mb-56">
      <ResultBox link={link} />
      <GuestTag url={link.originalUrl} onTagged={onTagged} />
    </div>
  );
}

function ResultBox({ link: created }: Pick<CreatedLinkProps, "link">) {
  const link = { ...created, nickname: null };
  const name = useDisplayName(link);
  return (
    <section
      aria-label="Your short link"
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 gap-y-4 rounded-2xl border border-line bg-surface p-4 shadow-card sm:gap-x-4 sm:p-5"
    >
      <div className="col-span-2 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-3 sm:col-span-1 sm:gap-y-0">
        <div className="sm:row-span-2">
          <LinkPicture src={link.imageUrl} />
        </div>
        <p dir="auto" className="line-clamp-2 text-left text-sm text-muted sm:line-clamp-1 sm:self-end">
          {name}
        </p>
        <OutsideLink
          href={link.shortUrl}
          target="_blank"
          rel="noopener"
          className="col-span-2 justify-self-start rounded-sm font-semibold wrap-anywhere text-accent underline decoration-1 underline-offset-4 hover:text-accent-hover sm:col-span-1 sm:col-start-2 sm:self-start sm:text-lg"
        >
          <ShortUrl link={link} />
        </OutsideLink>
      </div>
      <CopyTextButton text={link.shortUrl} failure={FAILED_TO_COPY_LINK}>
        Copy link
      </CopyTextButton>
      <div className="flex justify-end self-start sm:order-last">
        <LinkTools link={link} />
      </div>
      <div className="col-span-2 sm:col-span-1">
        <TagNote url={link.originalUrl} />
      </div>
    </section>
  );
}
