import type { GeneratedLink } from "@tapthru/proto/generate";
import { ResultBox } from "../features/link-generation/result-box.tsx";
import { AddTag } from "../features/tags/add-tag.tsx";
import { TagNote } from "../features/tags/tag-note.tsx";
import { LinkTools } from "./link-tools.tsx";

interface CreatedLinkProps {
  link: GeneratedLink;
  isMember: boolean;
  pending: boolean;
  /** Called with the address with the tag. */
  onTagged: (url: string) => void;
}

/** A new link on the start page, with what the user can do with it. */
export default function CreatedLinkBox({ link, ...tagging }: CreatedLinkProps) {
  return (
    <div className="motion-safe:animate-appear">
      <ResultBox
        link={link}
        tools={<LinkTools link={{ ...link, nickname: null, ...(tagging.isMember && { untaggedUrl: null }) }} />}
        note={
          <div className="flex flex-col gap-3">
            <TagNote url={link.originalUrl} />
            <AddTag url={link.originalUrl} {...tagging} />
          </div>
        }
      />
    </div>
  );
}
