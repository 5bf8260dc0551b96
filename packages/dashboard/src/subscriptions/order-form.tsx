import { Anchor, Group, Stack, Text, TextInput } from '@mantine/core';
import type { CreatedSubscription, PaymentMethod, Plan } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { actingFor } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { CardFields } from '../billing/card-fields.tsx';
import { readTestCard } from '../billing/test-cards.ts';
import { usePaymentFailure } from '../billing/use-payment-failure.ts';
import { cardExpiry, cardName } from '../payment-methods/card-name.ts';
import { type Choice, Choices, Problem, Section } from '../ui/index.ts';
import { useCouponProblem } from './coupon-problem.ts';
import { useSubscriptionsText } from './messages.ts';
import { OrderPreviewPanel } from './order-preview-panel.tsx';
import { PlanChoices } from './plan-choices.tsx';
import { useBuy } from './use-buy.ts';
import { mostSeatsOf, useOrderPreview } from './use-order-preview.ts';

interface OrderFormProps {
  plans: readonly Plan[];
  methods: readonly PaymentMethod[];
  bought: (subscription: CreatedSubscription) => void;
}

const NEW_CARD = 'new';

/** The form of an order. It keeps the choices if a card is declined. */
export function OrderForm({ plans, methods, bought }: OrderFormProps) {
  const t = useSubscriptionsText();
  const explain = usePaymentFailure();
  const explainCoupon = useCouponProblem();
  const isSandbox = useFacts().environment === 'sandbox';
  const [planId, setPlanId] = useState(() => plans.find(isSold)?.id);
  const [seats, setSeats] = useState('1');
  // Its value when the field was left, because a partly typed code is invalid.
  const [coupon, setCoupon] = useState('');
  const [method, setMethod] = useState(() => methods.find((each) => each.is_default)?.id ?? NEW_CARD);
  const buy = useBuy(bought);
  const plan = plans.find(({ id }) => id === planId);
  const preview = useOrderPreview({ plan, seats: Number(seats), coupon });
  const couponProblem = explainCoupon(buy.error) ?? explainCoupon(preview?.error);
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
              onBlur={({ currentTarget }) => setCoupon(currentTarget.value.trim())}
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
        {buy.isError && explainCoupon(buy.error) === undefined && (
          <Problem error={buy.error} text={explain(buy.error)} />
        )}
        <OrderPreviewPanel preview={preview} isPending={buy.isPending} canPay={canPay} />
      </Stack>
    </form>
  );
}

function SeatsField(props: { plan: Plan | undefined; seats: string; setSeats: (seats: string) => void }) {
  const { plan, seats, setSeats } = props;
  const t = useSubscriptionsText();
  return (
    <TextInput
      label={t('seats')}
      description={t('seats_hint')}
      name="seats"
      type="number"
      min={1}
      max={mostSeatsOf(plan)}
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

function isSold({ price, contact_sales: isContact }: Plan): boolean {
  return price !== null && isContact !== true;
}
