import { type Page, SeatholdError } from '@seathold/client';
import { QueryClient, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';

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
    'error' | 'fetchNextPage' | 'hasNextPage' | 'isError' | 'isFetchingNextPage' | 'isPending' | 'isSuccess' | 'refetch'
  >;
}

/** Asks for a list page by page. `ask` gets the cursor of the page, undefined for the first. */
export function useList<Item>(
  key: readonly unknown[],
  ask: (page: { cursor?: string; limit: number }, signal: AbortSignal) => PromiseLike<Page<Item>>,
  options: {
    refetchInterval?: number | false | ((items: readonly Item[]) => number | false);
    enabled?: boolean;
    limit?: number;
  } = {},
): Listed<Item> {
  const { limit = 25, refetchInterval = false, ...others } = options;
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam, signal }) =>
      ask(pageParam === undefined ? { limit } : { limit, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.pagination.next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      typeof refetchInterval === 'function'
        ? refetchInterval(state.data?.pages.flatMap((page) => page.data) ?? [])
        : refetchInterval,
    ...others,
  });
  return { items: query.data?.pages.flatMap((page) => page.data) ?? [], query };
}

/** Whether nobody is logged in, or not any more. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof SeatholdError && error.status === 401;
}
