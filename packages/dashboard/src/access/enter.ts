import { currentUser, queryClient, tellOtherTabs } from '../api/index.ts';

/** Goes on as the person who has just logged in. Whatever the cache holds is someone else's. */
export async function enterDashboard(go: () => Promise<void>): Promise<void> {
  queryClient.clear();
  tellOtherTabs();
  await queryClient.fetchQuery(currentUser);
  await go();
}
