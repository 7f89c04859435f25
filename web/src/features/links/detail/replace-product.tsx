import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions, DialogError } from "../../../components/ui/dialog.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { NewTabLink } from "../../../components/ui/links.tsx";
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
      <DialogButton call="PUT /api/links/bulk/product" text="Change the product in all links">
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
  const isOfStore = page?.kind === "product" && page.marketplace === marketplace && page.asin !== from;
  const products = { marketplace, from, to: isOfStore ? page.asin : from };
  const { data, error } = useQuery({
    ...queryOf("GET /api/product-links", { query: products }),
    enabled: isOfStore,
  });
  const { call, isPending } = useCall("PUT /api/links/bulk/product", {
    done: (_, { body }) => (body.undoOf ? "The links get their addresses back." : "The links open the other product."),
    undo: ({ changedAt }, { body }) => (body.undoOf ? null : { body: { ...body, undoOf: changedAt } }),
    failed: FAILED,
  });
  return (
    <Dialog title="Another product in all links" onClose={onClose}>
      <Field
        label={`Amazon link to the other product, at amazon.${marketplace}`}
        hint={`All your links to ${from} at amazon.${marketplace} will open it. Their tags stay.`}
        type="url"
        value={pasted}
        onChange={({ target }) => setPasted(target.value)}
        error={pasted.trim() === "" || isOfStore ? undefined : `This is not another product at amazon.${marketplace}.`}
      />
      {data && (
        <>
          <p role="status" className="mt-4 mb-2 font-medium">{`${formatCount(data.count, "link")} will change:`}</p>
          <ul className="flex max-h-60 flex-col gap-3 overflow-y-auto text-sm">
            {data.links.map(({ id, shortUrl, webUrl, newUrl }) => (
              <li key={id} className="wrap-anywhere">
                {shortUrl}
                <del className="block text-muted">{webUrl}</del>
                <NewTabLink href={newUrl}>{newUrl}</NewTabLink>
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogError>{error && errorText(error, FAILED)}</DialogError>
      <DialogActions pending={isPending} onCancel={onClose}>
        <Button
          disabled={!data?.count}
          aria-disabled={isPending}
          onClick={() => !isPending && call({ body: products }, { onDone: onClose })}
        >
          {data ? `Change ${formatCount(data.count, "link")}` : "Change links"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
