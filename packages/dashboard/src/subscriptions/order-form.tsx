import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { CreatedSubscription, PaymentMethod, Plan } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { actingFor } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { CardFields } from '../billing/card-fields.tsx';
import { readTestCard } from '../billing/test-cards.ts';
import { usePaymentFailure } from '../billing/use-payment-failure.ts';
import { cardExpiry, cardName } from '../payment-methods/card-name.ts';
import { type Choice, Choices, Problem, Section, useMoney } from '../ui/index.ts';
import { useCouponProblem } from './coupon-problem.ts';
import { useSubscriptionsText } from './messages.ts';
import { PlanChoices } from './plan-choices.tsx';
import { useBuy } from './use-buy.ts';

interface OrderFormProps {
  plans: readonly Plan[];
  methods: readonly PaymentMethod[];
  bought: (subscription: CreatedSubscription) => void;
}

const NEW_CARD = 'new';

/** The form of an order. It keeps what was chosen when a card is declined. */
export function OrderForm({ plans, methods, bought }: OrderFormProps) {
  const t = useSubscriptionsText();
  const explain = usePaymentFailure();
  const explainCoupon = useCouponProblem();
  const isSandbox = useFacts().environment === 'sandbox';
  const [planId, setPlanId] = useState(() => plans.find(isSold)?.id);
  const [seats, setSeats] = useState('1');
  const [method, setMethod] = useState(() => methods.find((each) => each.is_default)?.id ?? NEW_CARD);
  const buy = useBuy(bought);
  const plan = plans.find(({ id }) => id === planId);
  const couponProblem = explainCoupon(buy.error);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    buy.mutate({
      planId: planId ?? '',
      quantity: Number(seats),
      coupon: String(form.get('coupon')).trim(),
      payment: method === NEW_CARD ? readTestCard(form) : method,
    });
  };
  const canPay = method !== NEW_CARD || isSandbox;
  return (
    <form onSubmit={send}>
      <Stack gap="lg">
        <Section>
          <PlanChoices plans={plans} planId={planId} choose={setPlanId} />
        </Section>
        <Section title={t('order')}>
          <Group align="flex-start" gap="md">
            <SeatsField plan={plan} seats={seats} setSeats={setSeats} />
            <TextInput
              label={t('coupon')}
              description={t('coupon_hint')}
              name="coupon"
              maxLength={64}
              autoComplete="off"
              error={couponProblem}
              style={{ flex: '1 1 12rem' }}
            />
          </Group>
        </Section>
        <Section title={t('payment')}>
          <Stack gap="md">
            {methods.length > 0 && <MethodChoices {...{ methods, method, setMethod, isSandbox }} />}
            {method === NEW_CARD && (isSandbox ? <CardFields /> : <NoCard />)}
          </Stack>
        </Section>
        {buy.isError && couponProblem === undefined && <Problem error={buy.error} text={explain(buy.error)} />}
        <Summary plan={plan} seats={Number(seats)} isPending={buy.isPending} canPay={canPay} />
      </Stack>
    </form>
  );
}

function SeatsField(props: { plan: Plan | undefined; seats: string; setSeats: (seats: string) => void }) {
  const { plan, seats, setSeats } = props;
  const t = useSubscriptionsText();
  const most = plan === undefined || plan.features.seats === 'unlimited' ? 10_000 : plan.features.seats;
  return (
    <TextInput
      label={t('seats')}
      description={t('seats_hint')}
      name="seats"
      type="number"
      min={1}
      max={most}
      step={1}
      required
      value={seats}
      onChange={({ currentTarget }) => setSeats(currentTarget.value)}
      style={{ flex: '1 1 12rem' }}
    />
  );
}

function MethodChoices(props: {
  methods: readonly PaymentMethod[];
  method: string;
  setMethod: (id: string) => void;
  isSandbox: boolean;
}) {
  const { methods, method, setMethod, isSandbox } = props;
  const t = useSubscriptionsText();
  const options: Array<Choice<string>> = methods.map((each) => ({
    value: each.id,
    title: cardName(each),
    text: t(each.is_default ? 'card_default' : 'card_expires', { date: cardExpiry(each) }),
  }));
  return (
    <Choices
      legend={t('payment_method')}
      name="method"
      value={method}
      choose={setMethod}
      options={isSandbox ? [...options, { value: NEW_CARD, title: t('new_card') }] : options}
    />
  );
}

/** In production, only the payment provider may see the number of a card. */
function NoCard() {
  const t = useSubscriptionsText();
  const hasCardForm = useFacts().stripe_publishable_key !== null && actingFor === undefined;
  return (
    <Text size="sm">
      {t('no_card')}{' '}
      <Anchor component={Link} to={hasCardForm ? '/payment-methods/card' : '/payment-methods'} size="sm">
        {t('add_card')}
      </Anchor>
    </Text>
  );
}

function Summary(props: { plan: Plan | undefined; seats: number; isPending: boolean; canPay: boolean }) {
  const { plan, seats, isPending, canPay } = props;
  const t = useSubscriptionsText();
  const money = useMoney();
  const price = (plan?.price ?? 0) * (Number.isInteger(seats) && seats > 0 ? seats : 0);
  const shown = plan === undefined ? '–' : money(price, plan.currency);
  return (
    <Section>
      <Group justify="space-between" gap="md">
        <div style={{ flex: '1 1 16rem' }} aria-live="polite">
          <Text fw={600} data-testid="order-price">
            {t('monthly', { price: shown })}
          </Text>
          <Text size="sm" c="dimmed">
            {t(plan?.price === 0 ? 'free_text' : 'price_text')}
          </Text>
        </div>
        <Button type="submit" loading={isPending} disabled={!canPay || plan === undefined}>
          {t(price === 0 ? 'start' : 'pay_now')}
        </Button>
      </Group>
    </Section>
  );
}

function isSold({ price, contact_sales: isContact }: Plan): boolean {
  return price !== null && isContact !== true;
}
