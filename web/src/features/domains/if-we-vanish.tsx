import type { Domain } from "@tapthru/proto/domains";
import { REDIRECT_FORMATS } from "@tapthru/proto/export";
import { DownloadButton } from "../../kit/download-button.tsx";

const FILES = { redirects: "Netlify or Cloudflare Pages", nginx: "nginx", html: "Any web server" };

export function IfWeVanish({ domain: { host } }: { domain: Domain }) {
  return (
    <div className="flex flex-col items-start gap-4 leading-6 text-pretty wrap-anywhere">
      <p>
        {`If this service ends, put one of these files on another web server, and point the DNS of ${host} there: that `}
        server opens your links. The Amazon app does not open then, and nothing is counted.
      </p>
      <div className="flex flex-wrap gap-2">
        {REDIRECT_FORMATS.map((format) => (
          <DownloadButton
            key={format}
            label={FILES[format]}
            file={() => ({ path: "/api/export", query: { format, domain: host } })}
          />
        ))}
      </div>
    </div>
  );
}
