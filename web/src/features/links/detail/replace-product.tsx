import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions, DialogError } from "../../../components/ui/dialog.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { useCall } from "../../../kit/use-call.ts";
import { errorText } from "../../../lib/http/http-client.ts";
import { queryOf } from "../../../lib/http/query-presets.ts";
import { formatCount } from "../../../lib/locale-formats.ts";
import { DialogButton } from "../list/bulk-dialog.tsx";

const FAILED = "Failed to change the links. Please try again.";

/** Gives all links to the product of a link another one, after a preview. */
export function ReplaceProduct({ link }: { link: Link }) {
  const page = parseStorePage(link.webUrl);
  if (page?.kind !== "product") return null;
  return (
    <div className="mt-3 empty:hidden print:hidden">
      <DialogButton call="PATCH /api/links/bulk" text="Change the product in all links">
        {(close) => <ReplaceDialog product={page} onClose={close} />}
      </DialogButton>
    </div>
  );
}

type Product = Extract<StorePage, { kind: "product" }>;

function ReplaceDialog({ product, onClose }: { product: Product; onClose: () => void }) {
  const { asin: from, marketplace } = product;
  const [pasted, setPasted] = useState("");
  const page = parseStorePage(pasted);
  const to = page?.kind === "product" && page.marketplace === marketplace && page.asin !== from ? page.asin : null;
  const { data, error } = useQuery(queryOf("GET /api/link-count", { query: { store: marketplace, product: from } }));
  const { call, isPending } = useCall("PATCH /api/links/bulk", {
    done: (_, { body: { product } }) =>
      product?.undoOf ? "The links get their addresses back." : "The links open the other product.",
    undo: ({ changedAt }, { body: { product } }) =>
      product && !product.undoOf
        ? { body: { product: { marketplace, from: product.to, to: from, undoOf: changedAt } } }
        : null,
    failed: FAILED,
  });
  const links = data && `${formatCount(data.count, "link")}${data.areMore ? " or more" : ""}`;
  return (
    <Dialog title="Another product in all links" onClose={onClose}>
      <Field
        label={`Amazon link to the other product, at amazon.${marketplace}`}
        hint={`All your links to ${from} at amazon.${marketplace} will open it. Their tags stay.`}
        type="url"
        value={pasted}
        onChange={({ target }) => setPasted(target.value)}
        error={
          pasted.trim() === "" || to !== null ? undefined : `This is not another product at amazon.${marketplace}.`
        }
      />
      <p role="status" className="mt-4 font-medium empty:hidden">
        {to !== null && links && `${links} will open ${to}.`}
      </p>
      <DialogError>{error && errorText(error, FAILED)}</DialogError>
      <DialogActions pending={isPending} onCancel={onClose}>
        <Button
          disabled={to === null || !data?.count}
          aria-disabled={isPending}
          onClick={() =>
            to && !isPending && call({ body: { product: { marketplace, from, to } } }, { onDone: onClose })
          }
        >
          {to !== null && links ? `Change ${links}` : "Change links"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
