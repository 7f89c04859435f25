import type { GeneratedLink } from "@tapthru/proto/generate";
import { ResultBox } from "../features/link-generation/result-box.tsx";
import { GuestTag } from "../features/tags/tag-form.tsx";
import { TagNote } from "../features/tags/tag-note.tsx";
import { LinkTools } from "./link-tools.tsx";

export interface CreatedLinkProps {
  link: GeneratedLink;
  /** Called when the browser has the tag that the link lacks. */
  onTagged: () => void;
}

/** A new link on the start page, with what the user can do with it. */
export default function CreatedLinkBox({ link, onTagged }: CreatedLinkProps) {
  return (
    <div className="flex flex-col gap-3 motion-safe:animate-appear">
      <ResultBox
        link={link}
        tools={<LinkTools link={{ ...link, nickname: null }} />}
        note={<TagNote url={link.originalUrl} />}
      />
      <GuestTag url={link.originalUrl} onTagged={onTagged} />
    </div>
  );
}
