import type { Books } from '../books/books.ts';
import { refused } from './order-rules.ts';
import { readStanding, type Standing } from './standing-queries.ts';

/** Throws validation_failed if another subscription with this many seats would exceed the caps. */
export async function requireRoomForSubscription(books: Books, quantity: number): Promise<void> {
  const { maxSubscriptions } = books.tools.settings.caps;
  const { subscriptions, seats } = await standingOf(books, '');
  if (subscriptions >= maxSubscriptions) {
    throw refused('plan_id', 'max', `An organization can have at most ${shown(maxSubscriptions)} live subscriptions.`);
  }
  requireRoom(books, seats, quantity);
}

/**
 * Throws validation_failed if the subscription cannot grow to this many seats. Pending orders and changes count as if they
 * were paid, so that nothing is refused after it was paid. Fewer seats are always allowed, even if the cap was lowered.
 */
export async function requireRoomForSeats(
  books: Books,
  subscription: { id: string; quantity: number },
  quantity: number,
): Promise<void> {
  if (quantity > subscription.quantity) {
    requireRoom(books, (await standingOf(books, subscription.id)).seats, quantity);
  }
}

function requireRoom({ tools }: Books, taken: number, quantity: number): void {
  const { maxSeats } = tools.settings.caps;
  if (taken + quantity > maxSeats) {
    throw refused(
      'quantity',
      'max',
      `An organization can have at most ${shown(maxSeats)} seats across its subscriptions; ${shown(Math.max(0, maxSeats - taken))} are left.`,
    );
  }
}

const shown = (count: number) => count.toLocaleString('en');

function standingOf({ tx, organizationId, tools }: Books, exceptId: string): Promise<Standing> {
  const { maxSubscriptions, maxSeats } = tools.settings.caps;
  // Each has a seat at least, so a cap is passed before more than this need be read.
  return readStanding(tx, organizationId, exceptId, Math.max(maxSubscriptions, maxSeats) + 1);
}
