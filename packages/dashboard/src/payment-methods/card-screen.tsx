import { Button, Checkbox, Group, Skeleton, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api } from '../api/index.ts';
import { BillingOnly } from '../billing/billing-only.tsx';
import { CHANGED_BY_PAYMENTS } from '../billing/changed-by-payments.ts';
import { usePaymentFailure } from '../billing/use-payment-failure.ts';
import { useLanguage } from '../i18n/index.ts';
import { Notice, Page, Problem, Section, useAction } from '../ui/index.ts';
import { cardName } from './card-name.ts';
import { usePaymentMethodsText } from './messages.ts';
import { type CardElement, createStripeCard, type Stripe, StripeRefusal } from './stripe.ts';
import { useStripe } from './use-stripe.ts';
import './card-field.css';

/** Takes a card in production. Its number goes from Stripe's frame to Stripe, and never through this page. */
export function CardScreen() {
  const t = usePaymentMethodsText();
  return (
    <Page title={t('add')} about={t('card_about')}>
      <BillingOnly icon="card">
        <Card />
      </BillingOnly>
    </Page>
  );
}

function Card() {
  const t = usePaymentMethodsText();
  const stripe = useStripe();
  if (stripe.isError) {
    return (
      <Notice tone="danger" title={t('stripe_missing')} text={t('stripe_missing_text')}>
        <Button size="xs" variant="default" onClick={() => window.location.reload()}>
          {t('load_again')}
        </Button>
      </Notice>
    );
  }
  if (stripe.isPending) {
    return <Skeleton height={220} radius="md" />;
  }
  return stripe.data === null ? (
    <Notice tone="warning" title={t('no_form')} text={t('no_form_text')} />
  ) : (
    <CardForm stripe={stripe.data} />
  );
}

function CardForm({ stripe }: { stripe: Stripe }) {
  const t = usePaymentMethodsText();
  const navigate = useNavigate();
  const explain = usePaymentFailure();
  const place = useRef<HTMLDivElement>(null);
  const card = useCardElement(stripe, place);
  const add = useAction(
    async (isDefault: boolean) => {
      const id = await createStripeCard(stripe, card ?? raise());
      return api().paymentMethods.attach({ payment_method_id: id, set_default: isDefault });
    },
    {
      refreshes: CHANGED_BY_PAYMENTS,
      says: (method) => t('added_card', { card: cardName(method) }),
      succeeds: () => void navigate({ to: '/payment-methods' }),
    },
  );
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    add.mutate(new FormData(event.currentTarget).get('set_default') !== null);
  };
  return (
    <Section>
      <form onSubmit={send}>
        <Stack gap="md" maw={480}>
          <fieldset className="card-entry">
            <legend>{t('card')}</legend>
            <div ref={place} className="card-field" />
          </fieldset>
          <Checkbox name="set_default" label={t('set_default')} description={t('set_default_hint')} />
          {add.error instanceof StripeRefusal ? (
            <div className="problem" role="alert">
              <Text size="sm">{add.error.message === '' ? t('card_refused') : add.error.message}</Text>
            </div>
          ) : (
            add.isError && <Problem error={add.error} text={explain(add.error)} />
          )}
          <Group>
            <Button type="submit" loading={add.isPending} disabled={card === undefined}>
              {t('add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function raise(): never {
  throw new StripeRefusal('');
}

/** Stripe's field within the page, in the page's own colors and language. */
function useCardElement(stripe: Stripe, place: React.RefObject<HTMLDivElement | null>): CardElement | undefined {
  const language = useLanguage();
  const scheme = useComputedColorScheme('light');
  const [card, setCard] = useState<CardElement>();
  useEffect(() => {
    if (place.current === null) {
      return;
    }
    const color = scheme === 'dark' ? '#eef0f4' : '#16181d';
    const created = stripe
      .elements({ locale: language })
      .create('card', { style: { base: { color, fontSize: '16px' } } });
    created.mount(place.current);
    setCard(created);
    return () => created.destroy();
  }, [stripe, place, language, scheme]);
  return card;
}
