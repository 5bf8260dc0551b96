import { chooseOrganization, personalApi } from './client.ts';

/** Ends the login. Leaves nothing of the person in memory: the page loads again. */
export async function logOut(to = '/login'): Promise<void> {
  await personalApi().auth.logout();
  chooseOrganization(undefined);
  window.location.replace(to);
}
