import { EXPIRY_END, slugOn } from "@tapthru/proto/http/fields";
import type { Link } from "@tapthru/proto/http/links";
import { splitShortCode } from "@tapthru/proto/redirect/short-code";
import { messages } from "@tapthru/proto/rules/messages";
import * as z from "zod/mini";
import { Card } from "../../../components/ui/card.tsx";
import { findChannel, useChannels } from "../../../lib/channels.ts";
import { dayOf, endOfDay, formatLongDay, hasPassed } from "../../../lib/dates.ts";
import { fallbackOf, fallbackText } from "../../../lib/fallback-field.ts";
import { EditableField } from "./editable-field.tsx";
import { LinkDomain } from "./link-domain.tsx";
import { NewTabLink } from "./new-tab-link.tsx";

interface ShortLinkCardProps {
  link: Link;
  /** Called after the short code has changed. */
  onRenamed: (shortCode: string) => void;
}

/** The short code of a link and its expiry. */
export function ShortLinkCard({ link, onRenamed }: ShortLinkCardProps) {
  const { shortCode, domain, expiresAt } = link;
  const { name } = splitShortCode(shortCode);
  return (
    <Card title={messages.shortLink}>
      {name === "" ? (
        <p className="text-pretty">{messages.rootLinkOf(domain ?? "")}</p>
      ) : (
        <>
          <h3 className="mb-1 text-sm text-muted">{messages.shortLinkName}</h3>
          <EditableField
            link={link}
            pencil={messages.editShortLinkName}
            label={messages.shortLinkName}
            hint={messages.shortLinkNameHint}
            type="text"
            schema={slugOn(domain)}
            textOf={(each) => splitShortCode(each.shortCode).name}
            changeOf={(text) => ({ slug: text })}
            failure={messages.failedToChangeShortLink}
            onChanged={(changed) => onRenamed(changed.shortCode)}
          >
            <p className="wrap-anywhere">{name}</p>
          </EditableField>
          <LinkDomain link={link} onMoved={onRenamed} />
        </>
      )}
      <h3 className="mt-5 mb-1 text-sm text-muted">{messages.expiry}</h3>
      <EditableField
        link={link}
        pencil={messages.editExpiry}
        label={messages.expiryDay}
        hint={messages.expiryDayHint}
        type="date"
        min={dayOf(new Date())}
        schema={lastDay}
        textOf={lastDayOf}
        changeOf={(day) => ({ expiresAt: day === "" ? null : endOfDay(day) })}
        failure={messages.failedToChangeExpiry}
      >
        <p>{expiryText(expiresAt)}</p>
      </EditableField>
      <h3 className="mt-5 mb-1 text-sm text-muted">{messages.fallback}</h3>
      <EditableField
        link={link}
        pencil={messages.editFallback}
        label={messages.fallbackLabel}
        hint={messages.fallbackHint}
        type="url"
        schema={fallbackText}
        textOf={({ fallbackUrl }) => fallbackUrl ?? ""}
        changeOf={(text) => ({ fallbackUrl: fallbackOf(text) })}
        failure={messages.failedToChangeFallback}
      >
        <Fallback link={link} />
      </EditableField>
    </Card>
  );
}

/** What opens once the link has ended. */
function Fallback({ link: { fallbackUrl, channelId } }: { link: Link }) {
  const ofChannel = findChannel(useChannels(), channelId)?.fallbackUrl ?? null;
  const url = fallbackUrl ?? ofChannel;
  if (url === null) return <p className="text-pretty">{messages.noFallback}</p>;
  return (
    <p>
      {fallbackUrl === null && `${messages.fallbackOfChannel} `}
      <NewTabLink href={url}>{url}</NewTabLink>
    </p>
  );
}

/** Such as 2026-11-21, in the browser's time zone; empty: never. */
const lastDay = z.string().check(
  z.refine((day) => day === "" || Date.parse(endOfDay(day)) < EXPIRY_END, {
    error: messages.expiryTooFar,
    abort: true,
  }),
  z.refine((day) => day === "" || Date.parse(endOfDay(day)) > Date.now(), messages.expiryInPast),
);

function lastDayOf({ expiresAt }: Link): string {
  return expiresAt === null ? "" : dayOf(new Date(expiresAt));
}

function expiryText(expiresAt: string | null): string {
  if (expiresAt === null) return messages.neverExpires;
  return hasPassed(expiresAt) ? messages.expired : messages.expires(formatLongDay(expiresAt));
}
