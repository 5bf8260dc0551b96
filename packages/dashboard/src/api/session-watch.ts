import { SeatholdError } from '@seathold/client';
import { currentUser } from './current-user.ts';
import { queryClient } from './queries.ts';

/** All tabs of this browser share one cookie, so all of them are notified when it changes. */
const tabs = new BroadcastChannel('seathold.session');

/** Tells the other tabs that this one logged in or out. */
export function tellOtherTabs(): void {
  tabs.postMessage('changed');
}

/**
 * Never shows a person's data after their session ends: neither in another tab than the one that logged out, nor after
 * the back button restores a page, nor if the session was ended elsewhere.
 */
export function watchSession(): void {
  tabs.addEventListener('message', () => {
    if (showsSomebody()) {
      window.location.reload();
    }
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) {
      window.location.reload();
    }
  });
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error' && isOver(event.action.error) && showsSomebody()) {
      // The login screen leads back here.
      window.location.reload();
    }
  });
}

function showsSomebody(): boolean {
  return queryClient.getQueryData(currentUser.queryKey) !== undefined;
}

/** A wrong password is answered 401 too. */
function isOver(error: unknown): boolean {
  return error instanceof SeatholdError && error.status === 401 && error.code !== 'invalid_credentials';
}
