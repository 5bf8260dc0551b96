import { type Page, SeatholdError } from '@seathold/client';
import { QueryClient, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

/** The cache of what the API answered. The client library repeats what may be repeated, so the cache does not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

/** A list as a screen shows it: all pages that were asked for so far. */
export interface Listed<Item> {
  items: readonly Item[];
  query: Pick<
    UseInfiniteQueryResult,
    | 'dataUpdatedAt'
    | 'error'
    | 'fetchNextPage'
    | 'hasNextPage'
    | 'isError'
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

/** The most that the API gives at once: who asks for more wants much. */
const LATER_PAGES = 100;

/** Asks for a list page by page. `ask` gets the cursor of the page, undefined for the first. */
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
    // Every page that is shown is asked for again, so many of them are asked for less often.
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

/** Whether nobody is logged in, or not any more. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof SeatholdError && error.status === 401;
}

/**
 * The same, with all of its pages: each is asked for as soon as the one before it is there. A refresh cancels the page that is on
 * its way, which changes nothing that is rendered when both happen at once; so the end of every fetch looks again.
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
