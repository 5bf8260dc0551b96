import { Text } from '@mantine/core';
import type { Plan } from '@seathold/client';
import { useFacts } from '../app/facts.ts';
import { Choices, useMoney, useNumber } from '../ui/index.ts';
import { useSubscriptionsText } from './messages.ts';

const FEATURES = [
  'ai_assistance',
  'cloud_workstations',
  'priority_support',
  'sso',
  'audit_logs',
  'dedicated_support',
] as const;

/** The plans side by side. One sold by contact shows the contact address. */
export function PlanChoices(props: {
  plans: readonly Plan[];
  planId: string | undefined;
  choose: (id: string) => void;
}) {
  const { plans, planId, choose } = props;
  const t = useSubscriptionsText();
  const money = useMoney();
  const { support_email: support } = useFacts().brand;
  return (
    <Choices
      legend={t('plan')}
      name="plan"
      value={planId}
      choose={choose}
      isWide
      options={plans.map((plan) => {
        const { id, name, description, price, currency } = plan;
        const isContact = price === null || plan.contact_sales === true;
        return {
          value: id,
          title: name,
          isDisabled: isContact,
          text: (
            <>
              <Text size="sm" fw={600} c="var(--mantine-color-text)" component="span" display="block">
                {isContact
                  ? t('contact_sales')
                  : price === 0
                    ? t('free')
                    : t('per_seat', { price: money(price, currency) })}
              </Text>
              {description} <Features plan={plan} />
              {isContact && support !== '' && (
                <>
                  {' '}
                  <a href={`mailto:${support}`}>{support}</a>
                </>
              )}
            </>
          ),
        };
      })}
    />
  );
}

function Features({ plan: { features } }: { plan: Plan }) {
  const t = useSubscriptionsText();
  const number = useNumber();
  const { seats } = features;
  const names = [
    seats === 'unlimited' ? t('seats_unlimited') : t('seats_at_most', { count: seats, shown: number(seats) }),
    ...FEATURES.filter((feature) => features[feature]).map((feature) => t(feature)),
  ];
  return <span style={{ display: 'block', marginTop: 4 }}>{names.join(' · ')}</span>;
}
