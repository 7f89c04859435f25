import { useQuery } from "@tanstack/react-query";
import type { EarningsConnection } from "@tapthru/proto/http/earnings-imports";
import * as fileTexts from "@tapthru/proto/rules/messages/earnings-files";
import { useController, useForm } from "react-hook-form";
import { ItemsCard } from "../../components/revocable-items/items-card.tsx";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { PasswordField } from "../../components/ui/password-field.tsx";
import { SelectField } from "../../components/ui/select-field.tsx";
import { formatMinute } from "../../lib/dates.ts";
import { STORE_OPTIONS, storeName } from "../../lib/store-name.ts";
import {
  type ConnectionFields,
  connectionsOptions,
  useRemoveConnection,
  useSaveConnection,
} from "./api.ts";

const withIds = (connections: EarningsConnection[]) =>
  connections.map((each) => ({ ...each, id: each.marketplace }));

/** The user's credentials of Amazon's Creators API, with which their reports are fetched. */
export function Connections() {
  return (
    <ItemsCard
      title={fileTexts.earningsConnections}
      text={fileTexts.earningsConnectionsText}
      texts={{
        add: fileTexts.newEarningsConnection,
        empty: fileTexts.noEarningsConnections,
        failed: fileTexts.earningsConnectionsNotLoaded,
        tooMany: fileTexts.allStoresConnected,
      }}
      maxCount={STORE_OPTIONS.length}
      query={useQuery({ ...connectionsOptions, select: withIds })}
      item={(connection, onRemoved) => (
        <ConnectionItem connection={connection} onRemoved={onRemoved} />
      )}
      form={(close) => <ConnectionForm onClose={close} />}
    />
  );
}

const REMOVE_TEXTS = {
  label: fileTexts.removeConnection,
  name: fileTexts.removeConnectionOf,
  pending: fileTexts.removingConnection,
  question: fileTexts.confirmRemoveConnection,
};

interface ConnectionItemProps {
  connection: EarningsConnection;
  onRemoved: () => void;
}

function ConnectionItem({ connection, onRemoved }: ConnectionItemProps) {
  const { marketplace, storeId, clientId, fetchedAt, error } = connection;
  const { mutate, isPending } = useRemoveConnection(connection, onRemoved);
  return (
    <RevocableItem
      name={storeName(marketplace)}
      badge={
        (error !== null || fetchedAt !== null) && (
          <Badge variant={error === null ? "quiet" : "notice"}>
            {error === null ? fileTexts.connectionWorks : fileTexts.connectionFails}
          </Badge>
        )
      }
      consequence={fileTexts.removeConnectionConsequence}
      texts={REMOVE_TEXTS}
      isPending={isPending}
      onRevoke={(close) => mutate(undefined, { onError: close })}
    >
      <div className="mt-1 flex flex-col gap-0.5 text-sm text-pretty wrap-anywhere text-muted">
        {error !== null && <p className="text-danger">{fileTexts.connectionErrors[error]}</p>}
        <p>
          {fetchedAt === null
            ? fileTexts.connectionNeverFetched
            : fileTexts.connectionFetchedAt(formatMinute(fetchedAt))}
        </p>
        {storeId !== "" && <p>{fileTexts.connectionAccount(storeId)}</p>}
        <p>
          <code className="text-code">{clientId}</code>
        </p>
      </div>
    </RevocableItem>
  );
}

const NO_FIELDS: ConnectionFields = {
  marketplace: "com",
  storeId: "",
  clientId: "",
  clientSecret: "",
  version: "3.1",
};

function ConnectionForm({ onClose }: { onClose: () => void }) {
  const { register, control, handleSubmit, setError, formState } = useForm<ConnectionFields>({
    defaultValues: NO_FIELDS,
  });
  const { errors } = formState;
  const { field: store } = useController({ control, name: "marketplace" });
  const { field: version } = useController({ control, name: "version" });
  const { mutate, isPending } = useSaveConnection({
    onCreated: onClose,
    onFailed: (message) => setError("root", { message }),
  });

  return (
    <InlineForm
      pending={isPending}
      saveLabel={fileTexts.connectStore}
      pendingLabel={fileTexts.connectingStore}
      error={errors.root?.message}
      onSubmit={handleSubmit((fields) => mutate(fields))}
      onClose={onClose}
    >
      <SelectField
        label={fileTexts.storeOfReports}
        options={STORE_OPTIONS}
        value={store.value}
        onChange={store.onChange}
      />
      <SelectField
        label={fileTexts.creatorsVersion}
        options={Object.entries(fileTexts.creatorsVersions)}
        value={version.value}
        onChange={version.onChange}
      />
      <Field
        label={fileTexts.creatorsClientId}
        autoComplete="off"
        spellCheck={false}
        error={errors.clientId?.message}
        {...register("clientId", { required: fileTexts.enterCredentialId })}
      />
      <PasswordField
        label={fileTexts.creatorsClientSecret}
        hint={fileTexts.creatorsClientSecretHint}
        autoComplete="off"
        error={errors.clientSecret?.message}
        {...register("clientSecret", { required: fileTexts.enterSecret })}
      />
      <Field
        label={fileTexts.storeIdOfReports}
        hint={fileTexts.storeIdHint}
        autoComplete="off"
        spellCheck={false}
        error={errors.storeId?.message}
        {...register("storeId", {
          validate: (text = "") => /^[\w-]*$/.test(text.trim()) || fileTexts.invalidStoreId,
        })}
      />
    </InlineForm>
  );
}
