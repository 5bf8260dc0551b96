import { Anchor } from '@mantine/core';
import type { AppliedCoupon, Subscription } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FactList, Time, useMoney, useNumber, usePercent } from '../ui/index.ts';
import { useSubscriptionsText } from './messages.ts';
import { SubscriptionStatus } from './subscription-status.tsx';

/** What a subscription is. */
export function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const t = useSubscriptionsText();
  const number = useNumber();
  const money = useMoney();
  const describeCoupon = useCouponText();
  const { plan, quantity, coupon, license_id: licenseId, ended_at: endedAt } = subscription;
  const facts: Array<readonly [string, ReactNode] | false> = [
    [t('status'), <SubscriptionStatus key="status" subscription={subscription} />],
    [t('plan'), plan.name],
    [t('seats'), number(quantity)],
    [t('seat_price'), money(plan.price ?? 0, plan.currency)],
    [
      t(coupon === null ? 'price' : 'price_before'),
      t('monthly', { price: money((plan.price ?? 0) * quantity, plan.currency) }),
    ],
    [t('period_start'), <Time key="start" at={subscription.current_period_start} isExact />],
    endedAt === null
      ? [
          t(subscription.cancel_at_period_end ? 'ends' : 'renews'),
          <Time key="end" at={subscription.current_period_end} isExact />,
        ]
      : [t('ended'), <Time key="ended" at={endedAt} isExact />],
    coupon !== null && [t('coupon'), describeCoupon(coupon)],
    licenseId !== null && [
      t('license'),
      <Anchor key="license" component={Link} to={`/licenses/${licenseId}`} size="sm">
        {t('show_license')}
      </Anchor>,
    ],
    [t('created'), <Time key="created" at={subscription.created_at} isExact />],
  ];
  return <FactList facts={facts.filter((fact) => fact !== false)} />;
}

function useCouponText(): (coupon: AppliedCoupon) => string {
  const t = useSubscriptionsText();
  const money = useMoney();
  const formatPercent = usePercent();
  return ({ code, percent_off: percent, amount_off: amount, currency, duration, duration_months: months }) => {
    const off = percent === null ? money(amount ?? 0, currency ?? 'usd') : formatPercent(percent);
    return t(`coupon_${duration}`, { code, off, count: months ?? 1 });
  };
}
