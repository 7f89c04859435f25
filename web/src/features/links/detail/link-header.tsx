import type { Link } from "@tapthru/proto/http/links";
import { OWNER_TEXTS } from "@tapthru/proto/http/owner-fields";
import { messages } from "@tapthru/proto/rules/messages";
import { CopyButton } from "../../../components/copy-button.tsx";
import { ShortUrl } from "../../../components/short-url.tsx";
import { ClampedHeading } from "../../../components/ui/clamped-heading.tsx";
import { isUsable, LinkBadges } from "../link-state.tsx";
import { EditableField } from "./editable-field.tsx";
import { NewTabLink } from "./new-tab-link.tsx";

interface LinkHeaderProps {
  link: Link;
  name: string;
}

/** A link's name, its short URL and its state. */
export function LinkHeader({ link, name }: LinkHeaderProps) {
  return (
    <header>
      <EditableField
        link={link}
        className="text-2xl leading-tight text-pretty font-semibold tracking-tight sm:text-3xl"
        note={link.nickname === null ? messages.noNickname : messages.nicknameForOwner}
        pencil={messages.editNickname}
        label={messages.nicknameForOwner}
        schema={OWNER_TEXTS.nickname.input}
        initialText={name}
        changeOf={(text) => ({ nickname: text })}
        failure={messages.failedToUpdateNickname}
      >
        <ClampedHeading>{name}</ClampedHeading>
      </EditableField>
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
