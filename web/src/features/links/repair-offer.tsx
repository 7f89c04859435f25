import type { Defect } from "@tapthru/proto/rules/amazon/defects";
import { findAmazonUrlList } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { repairAmazonUrl } from "@tapthru/proto/rules/amazon/repair-url";
import type { ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { formatCount, formatList } from "../../lib/locale-formats.ts";

const DEFECTS: Record<Defect, string> = {
  "text-around": "has other text around it, or no https://",
  entities: "has HTML codes such as &amp; in it",
  start: "has a typing mistake at its start",
  wrapper: "is inside another address",
  preview: "is that of a preview",
  ended: "is one that Amazon no longer opens, such as a widget, an old link or an error page",
  blanks: "has blanks in it",
  "isbn-13": "has the ISBN-13 of a book, where Amazon has its ISBN-10",
  misplaced: "has parameters, such as its tag, where Amazon does not read them",
  "tag-name": "has its tag under another name than tag",
  hyphen: "has another sign for the hyphen of its tag",
  "several-tags": "has several tags, of which Amazon may count any",
  "empty-tag": "has an empty tag",
};

export interface RepairOfferProps {
  /** One address, with or without text around it, or a list of them. */
  pasted: string;
  /** @param urls the repaired address, or those of the list with the repaired ones among them */
  onTake: (urls: string[]) => void;
  children?: ReactNode;
}

/** Shows pasted addresses beside those that were probably meant, which a button takes. Renders nothing for sound ones. */
export default function RepairOffer({ pasted, onTake, children }: RepairOfferProps) {
  const list = findAmazonUrlList(pasted);
  const addresses = (list.length > 0 ? list : [pasted]).map((url) => ({ url, repair: repairAmazonUrl(url) }));
  const repaired = addresses.flatMap(({ url, repair }) => (repair === null ? [] : { url, repair }));
  if (repaired.length === 0) return null;
  return (
    <div
      role="status"
      className="my-3 flex flex-col items-start gap-3 rounded-2xl bg-notice p-4 text-md leading-6 text-notice-ink"
    >
      {list.length > 0 && (
        <p>{`${formatCount(repaired.length, "address", "addresses")} of ${list.length} can be repaired.`}</p>
      )}
      <ul className="flex max-w-full flex-col gap-3">
        {repaired.slice(0, SHOWN_MAX).map(({ url, repair }) => (
          <li key={url}>
            <p className="mb-2 text-pretty">{`This address ${formatList(repair.defects.map((defect) => DEFECTS[defect]))}.`}</p>
            <dl className="flex flex-col gap-2">
              <Address label="Pasted">{url}</Address>
              <Address label="Repaired">{repair.url}</Address>
            </dl>
          </li>
        ))}
      </ul>
      {repaired.length > SHOWN_MAX && <p>{`And ${repaired.length - SHOWN_MAX} more.`}</p>}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => onTake(addresses.map(({ url, repair }) => repair?.url ?? url))}>
          {list.length === 0 ? "Use the repaired address" : "Use the repaired addresses"}
        </Button>
        {children}
      </div>
    </div>
  );
}

const SHOWN_MAX = 3;

function Address({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt className="text-sm">{label}</dt>
      <dd dir="ltr" className="text-start font-medium wrap-anywhere">
        {children}
      </dd>
    </div>
  );
}
