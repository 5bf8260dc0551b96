import { currentUser, queryClient, tellOtherTabs } from '../api/index.ts';

/** Continues as the person who has just logged in. The cache may contain someone else's data. */
export async function enterDashboard(go: () => Promise<void>): Promise<void> {
  queryClient.clear();
  tellOtherTabs();
  await queryClient.fetchQuery(currentUser);
  await go();
}
