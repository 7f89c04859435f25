import type { Domain } from "@tapthru/proto/domains";
import { REDIRECT_FORMATS } from "@tapthru/proto/export";
import { buttonClass } from "../../components/ui/button.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";

const FILES = { redirects: "Netlify or Cloudflare Pages", nginx: "nginx", html: "Any web server" };

/** Files with which the links of a domain open without this service. */
export function IfWeVanish({ domain: { host } }: { domain: Domain }) {
  return (
    <div className="flex flex-col gap-4 leading-6 text-pretty">
      <p>
        {`Should this service end, put one of these files on another web server, and point the DNS of ${host} there: `}
        {`that server opens your links. The Amazon app does not open then, and nothing is counted.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {REDIRECT_FORMATS.map((format) => (
          <OutsideLink
            key={format}
            href={`/api/export?${new URLSearchParams({ format, domain: host })}`}
            download
            className={buttonClass("outline")}
          >
            {FILES[format]}
          </OutsideLink>
        ))}
      </div>
    </div>
  );
}
