import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createPasskey as CreatePasskey, type listPasskeys } from "@tapthru/proto/identity";
import { PASSKEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { TextField } from "../../../kit/call-form.tsx";
import { Item, Items } from "../../../kit/items.tsx";
import { formatDay } from "../../../lib/dates.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { queryOf } from "../../../lib/http/query-presets.ts";
import { refreshAfter } from "../../../lib/link-lists.ts";
import { ConfirmedForm } from "../profile/confirmed-form.tsx";
import { createPasskey } from "../request-passkey.ts";

const passkeysOptions = queryOf("GET /api/auth/passkeys");

export function Passkeys() {
  return (
    <Items
      title="Passkeys"
      text="A passkey logs you in with your fingerprint, face or screen lock, without a password."
      call="POST /api/auth/passkeys"
      what="add passkeys"
      add="Add a passkey"
      empty="You have no passkeys."
      tooMany={`You have ${PASSKEYS_MAX_COUNT} passkeys, the maximum.`}
      maxCount={PASSKEYS_MAX_COUNT}
      query={useQuery(passkeysOptions)}
      item={(passkey) => <PasskeyItem passkey={passkey} />}
      form={(close) => <PasskeyForm onClose={close} />}
    />
  );
}

function PasskeyForm({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const queryClient = useQueryClient();
  async function add({ name }: { name: string }) {
    const options = await callApi("POST /api/auth/passkeys/options", { renewsSession: false });
    const response = await createPasskey(options);
    await callApi("POST /api/auth/passkeys", { body: { name, response }, renewsSession: false });
    await refreshAfter(queryClient, "POST /api/auth/passkeys");
    toast({ title: "Success", description: "Your passkey has been added." });
    onClose();
  }
  return (
    <ConfirmedForm
      rules={z.pick(CreatePasskey.body, { name: true })}
      values={{ name: "" }}
      failed="The passkey was not added. Please try again."
      isAskedLate
      action={add}
      save="Add a passkey"
      onClose={onClose}
    >
      <TextField name="name" label="Name" hint="So that you recognize it, such as the name of your phone" />
    </ConfirmedForm>
  );
}

type Passkey = z.infer<(typeof listPasskeys)["replies"][200]>[number];

function PasskeyItem({ passkey }: { passkey: Passkey }) {
  const { id, name, createdAt, otherHost } = passkey;
  const toast = useToast();
  const queryClient = useQueryClient();
  const { isOpen, button, close } = useOpenForm();
  async function remove() {
    await callApi("DELETE /api/auth/passkeys/:id", { params: { id }, renewsSession: false }).catch((error) => {
      // It was deleted in another tab.
      if (httpErrorOf(error)?.status !== 404) throw error;
    });
    await refreshAfter(queryClient, "DELETE /api/auth/passkeys/:id");
    toast({ title: "Success", description: "The passkey has been deleted." });
  }
  return (
    <Item
      name={name}
      remove={
        <Button variant="outline" aria-label={`Delete ${name}`} {...button}>
          Delete
        </Button>
      }
      details={
        isOpen && (
          <div className="motion-safe:animate-appear">
            <ConfirmedForm
              rules={z.object({})}
              values={{}}
              failed="The passkey was not deleted. Please try again."
              isAskedLate
              action={remove}
              save="Delete"
              onClose={close}
            />
          </div>
        )
      }
    >
      <p className="mt-1 text-sm text-muted">{`Added ${formatDay(createdAt)}`}</p>
      {otherHost !== null && <p className="text-sm font-medium">{`Works at ${otherHost} only`}</p>}
    </Item>
  );
}
