import type { UserName } from "@tapthru/proto/operator/fields";
import { paths } from "@tapthru/proto/rules/paths";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";

export const userPath = (id: number) => `${paths.operatorUsers}?id=${id}`;

export function OwnerLink({ owner }: { owner: UserName | null }) {
  if (!owner) return <span>without an account</span>;
  return (
    <span className="wrap-anywhere">
      by{" "}
      <PageLink to={userPath(owner.id)} className={textLinkClass}>
        <bdi>{owner.username}</bdi>
      </PageLink>
    </span>
  );
}
