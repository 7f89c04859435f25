import { LRUCache } from "lru-cache";
import type { LiveLink } from "../link.ts";
import type { PreparedResponse } from "../prepared-response.ts";

/** About 500 pages. */
export const RENDERED_PAGES_MAX_BYTES = 4 * 1_048_576;
/** Headers, key and link of a page. */
const BYTES_BESIDE_BODY = 2_048;

interface RenderedPage {
  link: LiveLink;
  /** Changes when the page must be rendered again, although the link is the same. */
  version: string;
  response: PreparedResponse;
}

/** Pages that were rendered for links in memory, so that a page that is opened often is rendered once. */
export class RenderedPages {
  readonly #pages = new LRUCache<string, RenderedPage>({
    maxSize: RENDERED_PAGES_MAX_BYTES,
    sizeCalculation: ({ response }) => BYTES_BESIDE_BODY + response.body.length,
  });

  /** @param key names the short code and what else the page depends on */
  get(
    key: string,
    { link, version }: Pick<RenderedPage, "link" | "version">,
    render: () => PreparedResponse,
  ): PreparedResponse {
    const known = this.#pages.get(key);
    if (known?.link === link && known.version === version) return known.response;
    const response = render();
    this.#pages.set(key, { link, version, response });
    return response;
  }
}
