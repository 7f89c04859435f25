import type { ComponentProps, MouseEvent } from "react";
import { type LinkProps, useHref, useLinkClickHandler, useLocation } from "react-router-dom";
import { isStartPagePending } from "../../lib/prerendered.ts";

interface PageLinkProps
  extends Omit<ComponentProps<"a">, "href">,
    Pick<LinkProps, "to" | "state"> {}

/**
 * A link to a page of this site. A double click adds only one history entry. The router's own `Link` would add its
 * unused prefetching to the initial bundle.
 */
export function PageLink({ to, state, onClick, children, ...props }: PageLinkProps) {
  const href = useHref(to);
  const open = useLinkClickHandler<HTMLAnchorElement>(to, {
    state,
    target: props.target ?? "_self",
  });
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        ignoreSecondClick(event);
        if (!event.defaultPrevented) onClick?.(event);
        // The router would wait for the script of the start page.
        if (!event.defaultPrevented && !isStartPagePending()) open(event);
      }}
    >
      {children}
    </a>
  );
}

/** A page link in a navigation bar or menu. It is marked while its page is the current one. */
export function NavigationLink({ to, ...props }: PageLinkProps & { to: string }) {
  const { pathname } = useLocation();
  return <PageLink to={to} aria-current={pathname === to ? "page" : undefined} {...props} />;
}

/** A link to a URL outside the router. A double click opens it only once. */
export function OutsideLink({
  href,
  children,
  ...props
}: Omit<ComponentProps<"a">, "href" | "onClick"> & { href: string }) {
  return (
    <a href={href} {...props} onClick={ignoreSecondClick}>
      {children}
    </a>
  );
}

/** The second click of a double click may come before the next page has loaded. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}
