import { codeReplaced, type ImportLine, importCodeReplacements, importRefusals } from "@tapthru/proto/imports";
import { Check, CircleX, RefreshCw } from "lucide-react";
import { ReadableShortUrl } from "../../../components/short-url.tsx";
import { formatNumber } from "../../../lib/locale-formats.ts";

interface ImportLineRowProps {
  line: ImportLine;
  isCancelled: boolean;
}

export function ImportLineRow({ line, isCancelled }: ImportLineRowProps) {
  const { url, nickname, title, state, refusal, replacement, shortUrl, repairedUrl } = line;
  const name = nickname ?? title;
  const isExisting = refusal === "already-yours";
  const isRefused = state === "refused" && !isExisting;
  const Icon = isRefused ? CircleX : isExisting || replacement === null ? Check : RefreshCw;
  return (
    <li className="flex gap-3 py-3">
      <Icon aria-hidden className={`mt-1 size-4 shrink-0 ${isRefused ? "text-danger" : "text-muted"}`} />
      <div className="min-w-0 grow">
        <p className="text-sm text-muted">{`Line ${formatNumber(line.line)}`}</p>
        {name !== null && <p className="font-medium wrap-anywhere">{name}</p>}
        <p dir="ltr" className="line-clamp-2 text-start text-md wrap-anywhere">
          {url || "No address"}
        </p>
        <p className={`mt-1 text-md ${isRefused ? "font-medium text-danger" : ""}`}>
          {shortUrl !== null && (
            <bdi className="font-medium">
              <ReadableShortUrl shortUrl={shortUrl} />
            </bdi>
          )}
          {shortUrl !== null && replacement !== null && <br />}
          {state === "pending" && isCancelled ? "Not imported" : outcomeText(line)}
          {line.isLost && <span className="block">{`${addressIn(line)} stops working here.`}</span>}
        </p>
        {repairedUrl !== null && (
          <p dir="auto" className="mt-1 text-start text-md wrap-anywhere">
            {`Probably meant: ${repairedUrl}`}
          </p>
        )}
      </div>
    </li>
  );
}

/** The short address in the file, as far as it is known. */
function addressIn({ slug, domain }: ImportLine): string {
  return domain === null ? (slug ?? "") : `${domain}/${slug}`;
}

function outcomeText({ slug, refusal, replacement, shortUrl }: ImportLine): string | null {
  if (refusal !== null) return importRefusals[refusal];
  if (slug !== null && replacement !== null) {
    return codeReplaced(slug, importCodeReplacements[replacement]);
  }
  if (shortUrl !== null) return null;
  return slug === null ? "Gets a generated code" : `Keeps ${slug}`;
}
