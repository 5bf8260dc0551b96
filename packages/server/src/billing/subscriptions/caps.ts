import type { Statement } from '../../database/index.ts';
import type { Books } from '../books/books.ts';
import { refused } from './order-rules.ts';

/** Throws validation_failed when the organization can have no further subscription, or not one of so many seats. */
export async function requireRoomForSubscription(books: Books, quantity: number): Promise<void> {
  const { maxSubscriptions } = books.tools.settings.caps;
  const { subscriptions, seats } = await readStanding(books, '');
  if (subscriptions >= maxSubscriptions) {
    throw refused('plan_id', 'max', `An organization can have at most ${shown(maxSubscriptions)} live subscriptions.`);
  }
  requireRoom(books, seats, quantity);
}

/**
 * Throws validation_failed when the subscription cannot grow to so many seats. What waits for its payment is counted as if
 * it were paid, so that nothing is turned away once the money has come. Fewer seats are always fine, also where a cap was
 * lowered.
 */
export async function requireRoomForSeats(
  books: Books,
  subscription: { id: string; quantity: number },
  quantity: number,
): Promise<void> {
  if (quantity > subscription.quantity) {
    requireRoom(books, (await readStanding(books, subscription.id)).seats, quantity);
  }
}

function requireRoom({ tools }: Books, taken: number, quantity: number): void {
  const { maxSeats } = tools.settings.caps;
  if (taken + quantity > maxSeats) {
    throw refused(
      'quantity',
      'max',
      `An organization can have at most ${shown(maxSeats)} seats in all its subscriptions; ${shown(Math.max(0, maxSeats - taken))} are left.`,
    );
  }
}

const shown = (count: number) => count.toLocaleString('en');

/** Of its live subscriptions but one, and of orders that are being paid. The account is locked, so it stays so. */
async function readStanding(books: Books, exceptId: string): Promise<Standing> {
  const [standing] = await books.tx.query(READ_STANDING, [books.organizationId, exceptId]);
  return standing ?? { subscriptions: 0, seats: 0 };
}

interface Standing {
  subscriptions: number;
  seats: number;
}

/** $1 organization, $2 a subscription that is left out. An order has no subscription before the provider's first word. */
const READ_STANDING: Statement<Standing> = {
  name: 'read_subscription_standing',
  text: `select count(*)::int as subscriptions, coalesce(sum(seats), 0)::int as seats from (
      select s.id, greatest(s.quantity, s.pending_quantity, (p.intent ->> 'quantity')::int) as seats
      from subscriptions s
      left join payments p on p.organization_id = s.organization_id and p.subscription_id = s.id
        and p.settled_at is null and p.intent ->> 'kind' = 'change'
      where s.organization_id = $1 and s.next_action_at is not null
      union all
      select p.subscription_id, (p.intent ->> 'quantity')::int
      from payments p
      where p.organization_id = $1 and p.settled_at is null and p.invoice_id is null and p.intent ->> 'kind' = 'create'
    ) live where id <> $2`,
};
