import type { GeneratedLink } from "@tapthru/proto/generate";
import { TagNote } from "../../channels/index.ts";
import { LinkTools } from "../sharing/link-tools.tsx";
import { GuestTag } from "../tags/tag-form.tsx";
import { ResultBox } from "./result-box.tsx";

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
