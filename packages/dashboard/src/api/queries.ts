import { type Page, SeatholdError } from '@seathold/client';
import { QueryClient, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

/** The cache of API responses. The client library already retries, so the cache does not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

/** A list on a screen: all pages requested so far. */
export interface Listed<Item> {
  items: readonly Item[];
  query: Pick<
    UseInfiniteQueryResult,
    | 'dataUpdatedAt'
    | 'error'
    | 'fetchNextPage'
    | 'hasNextPage'
    | 'isError'
    | 'isFetchNextPageError'
    | 'isFetching'
    | 'isFetchingNextPage'
    | 'isPending'
    | 'isSuccess'
    | 'refetch'
  >;
}

interface ListOptions<Item> {
  refetchInterval?: number | false | ((items: readonly Item[]) => number | false);
  enabled?: boolean;
  /** How long the first page is. */
  limit?: number;
}

/** The API's maximum page size, for people who request more. */
const LATER_PAGES = 100;

/** Requests a list page by page. `ask` gets the cursor of the page, undefined for the first. */
export function useList<Item>(
  key: readonly unknown[],
  ask: (page: { cursor?: string; limit: number }, signal: AbortSignal) => PromiseLike<Page<Item>>,
  options: ListOptions<Item> = {},
): Listed<Item> {
  const { limit = 25, refetchInterval = false, ...others } = options;
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam, signal }) =>
      ask(pageParam === undefined ? { limit } : { limit: LATER_PAGES, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.pagination.next_cursor ?? undefined,
    // A refresh requests every shown page again, so long lists are refreshed less often.
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      const interval =
        typeof refetchInterval === 'function' ? refetchInterval(pages.flatMap((page) => page.data)) : refetchInterval;
      return interval === false ? false : interval * Math.max(1, pages.length);
    },
    ...others,
  });
  return { items: query.data?.pages.flatMap((page) => page.data) ?? [], query };
}

/** Whether no one is logged in, or no longer. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof SeatholdError && error.status === 401;
}

/**
 * The same with all pages: each is requested as soon as the previous one arrives. A refresh cancels the page in flight
 * without changing what is rendered if both happen together, so this is checked after every fetch.
 */
export function useWholeList<Item>(...args: Parameters<typeof useList<Item>>): Listed<Item> {
  const list = useList(...args);
  const { hasNextPage, isFetching, isError, dataUpdatedAt, fetchNextPage } = list.query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: dataUpdatedAt changes with a fetch that began and ended between two renderings.
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) {
      void fetchNextPage({ cancelRefetch: false });
    }
  }, [hasNextPage, isFetching, isError, dataUpdatedAt, fetchNextPage]);
  return list;
}
