import { useQuery } from "@tanstack/react-query";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { useDisplayName } from "../../lib/use-host.ts";
import { linkOptions } from "./get-link.ts";

interface LinkTitleLinkProps {
  shortCode: string;
  /** If it is known already. */
  name?: string | null;
  /** The link's page. */
  to: string;
}

/** A link's name, fetched by its code, which is shown until then. */
export function LinkTitleLink({ shortCode, name = null, to }: LinkTitleLinkProps) {
  const { data } = useQuery({ ...linkOptions(shortCode), enabled: name === null });
  return (
    <PageLink to={to} className={textLinkClass}>
      {data ? <Name link={data} /> : (name ?? shortCode)}
    </PageLink>
  );
}

function Name({ link }: { link: Parameters<typeof useDisplayName>[0] }) {
  return useDisplayName(link);
}
