/** The position of a page in its list. */
export interface Pagination {
  has_more: boolean;
  /** Null on the last page. */
  next_cursor: string | null;
}

/**
 * A requested list. Awaited, it is its first page; iterated with `for await`, it yields every item of every page, and
 * fetches each page when the previous one is consumed.
 */
export type List<Item> = Promise<Page<Item>> & AsyncIterable<Item>;

/** One page of a list. Iterated, it yields its own items and those of all later pages. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly data: Item[];
  readonly pagination: Pagination;
  /** Finds the request in the operator's log. */
  readonly requestId: string | undefined;
  readonly #fetchPage: FetchPage<Item>;

  constructor(content: PageContent<Item>, fetchPage: FetchPage<Item>) {
    this.data = content.data;
    this.pagination = content.pagination;
    this.requestId = content.requestId;
    this.#fetchPage = fetchPage;
  }

  /** The page after this one; undefined after the last. */
  async nextPage(): Promise<Page<Item> | undefined> {
    const { has_more: hasMore, next_cursor: cursor } = this.pagination;
    return hasMore && cursor !== null ? this.#fetchPage(cursor) : undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (let page: Page<Item> | undefined = this; page !== undefined; page = await page.nextPage()) {
      yield* page.data;
    }
  }
}

interface PageContent<Item> {
  data: Item[];
  pagination: Pagination;
  requestId: string | undefined;
}

type FetchPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/** The list whose pages a function fetches, each by its cursor. */
export function listOf<Item>(fetchContent: (cursor: string | undefined) => Promise<PageContent<Item>>): List<Item> {
  const fetchPage: FetchPage<Item> = async (cursor) => new Page(await fetchContent(cursor), fetchPage);
  const first = fetchPage(undefined);
  return Object.assign(first, {
    async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
      yield* await first;
    },
  });
}
