import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { CopyButton } from "../../components/copy-button.tsx";
import { ShortUrl } from "../../components/short-url.tsx";
import { EditableText } from "./editable-text.tsx";
import { isUsable, LinkBadges } from "./link-state.tsx";
import { NewTabLink } from "./new-tab-link.tsx";

interface LinkHeaderProps {
  link: Link;
  name: string;
}

/** A link's name, its short URL and its state. */
export function LinkHeader({ link, name }: LinkHeaderProps) {
  return (
    <header>
      <EditableText
        link={link}
        field="nickname"
        text={name}
        className="text-2xl leading-tight text-pretty font-semibold tracking-tight sm:text-3xl"
        isHeading
        note={link.nickname === null ? messages.noNickname : messages.nicknameForOwner}
      />
      <div className="mt-3 flex flex-wrap items-center gap-x-1 gap-y-1">
        <span className="min-w-0">
          <NewTabLink href={link.invalid ? null : link.shortUrl}>
            <ShortUrl link={link} />
          </NewTabLink>
        </span>
        {isUsable(link) && <CopyButton text={link.shortUrl} label={messages.copyLink} />}
        <LinkBadges link={link} />
      </div>
    </header>
  );
}
