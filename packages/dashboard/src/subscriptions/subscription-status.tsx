import type { Subscription } from '@seathold/client';
import { Status, type Tone } from '../ui/index.ts';
import { useSubscriptionsText } from './messages.ts';

const TONES = {
  incomplete: 'warning',
  active: 'success',
  past_due: 'danger',
  canceled: 'idle',
  expired: 'idle',
} as const satisfies Record<Subscription['status'], Tone>;

/** The status of a subscription. Also shows that one is about to end. */
export function SubscriptionStatus({ subscription }: { subscription: Subscription }) {
  const t = useSubscriptionsText();
  const { status, cancel_at_period_end: isEnding } = subscription;
  return status === 'active' && isEnding ? (
    <Status tone="warning">{t('ending')}</Status>
  ) : (
    <Status tone={TONES[status]}>{t(status)}</Status>
  );
}
