import { SeatholdError } from '@seathold/client';
import { currentUser } from './current-user.ts';
import { queryClient } from './queries.ts';

/** All tabs of this browser share one cookie, so all of them learn when it becomes another one. */
const tabs = new BroadcastChannel('seathold.session');

/** Tells the other tabs that this one logged in or out. */
export function tellOtherTabs(): void {
  tabs.postMessage('changed');
}

/**
 * Shows nothing of a person for longer than their session lasts: neither in the tab beside the one that logged out, nor
 * when the back button brings back a page as it was, nor when the session was ended elsewhere.
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
      // The way in asks for a login, and leads back here.
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
