import { chooseOrganization, personalApi } from './client.ts';
import { isLoggedOut } from './queries.ts';
import { tellOtherTabs } from './session-watch.ts';

/** Ends the login, and reloads the page, so that nothing of the person stays in memory. */
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
