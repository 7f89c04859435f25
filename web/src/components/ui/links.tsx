import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { textLinkClass } from "./button.tsx";

/** A link to a page of this site. A double click adds only one history entry. */
export function PageLink({ onClick, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...props}
      onClick={(event) => {
        ignoreSecondClick(event);
        if (!event.defaultPrevented) onClick?.(event);
      }}
    />
  );
}

interface NavigationLinkProps extends ComponentProps<typeof Link> {
  to: string;
  /** The start of the paths of other pages that belong to it. */
  alsoOf?: string | undefined;
}

/** A page link in a navigation bar or menu. It is marked while its page is the current one, or one that belongs to it. */
export function NavigationLink({ to, alsoOf, ...props }: NavigationLinkProps) {
  const { pathname } = useLocation();
  const isWithin = alsoOf !== undefined && pathname.startsWith(alsoOf);
  return <PageLink to={to} aria-current={pathname === to ? "page" : isWithin || undefined} {...props} />;
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

/** Moves the keyboard focus to an element past others. Visible only while focused; does not change the URL. */
export function SkipLink({ to, children }: { to: string; children: string }) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
      className="fixed top-3 left-3 z-50 print:hidden -translate-y-20 rounded-xl border border-line bg-surface px-4 py-2 font-medium shadow-card focus-visible:translate-y-0"
    >
      {children}
    </a>
  );
}

interface NewTabLinkProps {
  /** If null, the content is plain text. */
  href: string | null;
  children: ReactNode;
}

export function NewTabLink({ href, children }: NewTabLinkProps) {
  if (href === null) return <span className="wrap-anywhere">{children}</span>;
  return (
    <OutsideLink href={href} target="_blank" rel="noopener" className={`${textLinkClass} wrap-anywhere`}>
      {children}
    </OutsideLink>
  );
}
