import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import * as z from "zod/mini";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { FormError } from "../../../components/ui/form.tsx";
import { CallForm, TextField } from "../../../kit/call-form.tsx";
import { errorText } from "../../../lib/http/http-client.ts";
import { queryOf } from "../../../lib/http/query-presets.ts";
import { formatCount } from "../../../lib/locale-formats.ts";
import { DialogButton } from "../list/bulk-call.tsx";

/** Gives all links to the product of a link another one. Says before how many they are. */
export function ReplaceProduct({ link }: { link: Link }) {
  const page = parseStorePage(link.webUrl);
  if (page?.kind !== "product") return null;
  return (
    <div className="mt-3 empty:hidden print:hidden">
      <DialogButton call="PATCH /api/links/bulk" text="Change the product in all links">
        {(close) => (
          <Dialog title="Another product in all links" onClose={close}>
            <ProductForm product={page} onClose={close} />
          </Dialog>
        )}
      </DialogButton>
    </div>
  );
}

type Product = Extract<StorePage, { kind: "product" }>;

function ProductForm({ product, onClose }: { product: Product; onClose: () => void }) {
  const { asin: from, marketplace } = product;
  const { data, error } = useQuery(queryOf("GET /api/link-count", { query: { store: marketplace, product: from } }));
  const links = data ? formatCount(data.count, "link") + (data.areMore ? " or more" : "") : "links";
  function otherProduct(pasted: string): string | null {
    const page = parseStorePage(pasted);
    return page?.kind === "product" && page.marketplace === marketplace && page.asin !== from ? page.asin : null;
  }
  const isOther = z.refine<string>(
    (pasted) => otherProduct(pasted) !== null,
    `This is not another product at amazon.${marketplace}.`,
  );
  const isCounted = z.refine<string>(() => data !== undefined, "Your links are not counted yet.");
  return (
    <CallForm
      call="PATCH /api/links/bulk"
      rules={z.object({ pasted: z.string().check(isOther, isCounted) })}
      values={{ pasted: "" }}
      input={({ pasted }) => ({ body: { product: { marketplace, from, to: otherProduct(pasted) ?? "" } } })}
      save={`Change ${links}`}
      done={(_, { body: { product } }) =>
        product?.undoOf ? "The links get their addresses back." : "The links open the other product within seconds."
      }
      undo={(reply, { body: { product } }) =>
        product && !product.undoOf && "changedAt" in reply
          ? { body: { product: { marketplace, from: product.to, to: product.from, undoOf: reply.changedAt } } }
          : null
      }
      failed="Failed to change the links. Please try again."
      onClose={onClose}
    >
      <FormError>{error && errorText(error, "Your links could not be counted.")}</FormError>
      <TextField
        name="pasted"
        type="url"
        label={`Amazon link to the other product, at amazon.${marketplace}`}
        hint={`Your ${links} to ${from} at amazon.${marketplace} will open it. Their tags stay.`}
      />
    </CallForm>
  );
}
