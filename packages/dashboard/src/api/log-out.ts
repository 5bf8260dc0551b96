import { chooseOrganization, personalApi } from './client.ts';
import { isLoggedOut } from './queries.ts';
import { tellOtherTabs } from './session-watch.ts';

/** Ends the login. Leaves nothing of the person in memory: the page loads again. */
export async function logOut(to = '/login'): Promise<void> {
  await endSession();
  chooseOrganization(undefined);
  tellOtherTabs();
  window.location.replace(to);
}

/** Another tab may have ended it at the same moment. */
export async function endSession(): Promise<void> {
  try {
    await personalApi().auth.logout();
  } catch (error) {
    if (!isLoggedOut(error)) {
      throw error;
    }
  }
}
