import { type Channel, createChannel } from "@tapthru/proto/channels";
import { fallbackUrl } from "@tapthru/proto/fields";
import type { ReactNode } from "react";
import * as z from "zod/mini";
import { Badge } from "../../components/ui/badge.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { FormButton } from "../../kit/can.tsx";
import { Item } from "../../kit/items.tsx";
import { linkCountText } from "../../lib/names.ts";
import { optionalText, textOrNull } from "../../lib/optional-text.ts";

const CHANGED = "The channel was changed.";

const deleteChannelConsequence = (links: number) =>
  links === 0
    ? "It has no links."
    : `${linkCountText(links)} ${links === 1 ? "keeps its tag and uses" : "keep their tags and use"} the default channel.`;

/** A channel with its settings. @param children its tags */
export function ChannelItem({ channel, children }: { channel: Channel; children: ReactNode }) {
  const { id, name, isDefault, linkCount } = channel;
  const params = { id: String(id) };
  const form = useOpenForm();
  return (
    <Item
      name={name}
      badge={isDefault && <Badge variant="quiet">Default</Badge>}
      remove={
        <FormButton call="PATCH /api/channels/:id" form={form} variant="quiet" aria-label={`Settings of ${name}`}>
          Settings
        </FormButton>
      }
      details={
        <>
          {form.isOpen && (
            <>
              <CallForm
                call="PATCH /api/channels/:id"
                rules={z.object({ name: createChannel.body.shape.name, fallback: optionalText(fallbackUrl) })}
                values={{ name, fallback: channel.fallbackUrl ?? "" }}
                input={(fields) => ({ params, body: { name: fields.name, fallbackUrl: textOrNull(fields.fallback) } })}
                errorAt={{ "channel-taken": "name" }}
                done={CHANGED}
                onClose={form.close}
              >
                <TextField name="name" label="Name of the channel" />
                <TextField
                  name="fallback"
                  label="Amazon page in place of the link"
                  hint="It opens, with the channel's tag, once a link has expired or its product is gone. Leave it empty for none."
                  type="url"
                />
              </CallForm>
              {!isDefault && (
                <div className="flex flex-wrap gap-2">
                  <Action
                    call="PATCH /api/channels/:id"
                    input={{ params, body: { isDefault: true } }}
                    label="Make default"
                    done={CHANGED}
                    onDone={form.close}
                  />
                  <Action
                    call="DELETE /api/channels/:id"
                    input={{ params }}
                    label="Delete"
                    question={`Delete the channel ${name}?`}
                    done="The channel was deleted."
                    gone="The channel was deleted."
                  >
                    {deleteChannelConsequence(linkCount)}
                  </Action>
                </div>
              )}
            </>
          )}
          {children}
        </>
      }
    >
      <p className="text-sm text-pretty text-muted">
        {isDefault ? "Links for which you choose no channel use it." : linkCountText(linkCount)}
      </p>
    </Item>
  );
}
