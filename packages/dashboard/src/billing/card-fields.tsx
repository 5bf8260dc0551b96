import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHasRole } from '../api/index.ts';
import { useBillingText } from './messages.ts';
import { nameOfNumber, TEST_CARDS } from './test-cards.ts';

const OTHER = '';
const YEARS_AHEAD = 4;

/** The fields of a test card, filled in with one that pays. Only admins may enter another number. */
export function CardFields() {
  const t = useBillingText();
  const isAdmin = useHasRole('admin');
  const [name, setName] = useState<string>(TEST_CARDS[0].name);
  const [number, setNumber] = useState<string>(TEST_CARDS[0].number);
  const chosen = TEST_CARDS.find((card) => card.name === name);
  const choose = (next: string) => {
    setName(next);
    setNumber(TEST_CARDS.find((card) => card.name === next)?.number ?? '');
  };
  const type = (next: string) => {
    setNumber(next);
    setName(nameOfNumber(next) ?? OTHER);
  };
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t('test_card')}
        description={t('test_card_hint')}
        name="test_card"
        value={name}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          ...TEST_CARDS.map((card) => ({ value: card.name, label: `${t(`card_${card.key}`)} (${card.number})` })),
          ...(isAdmin ? [{ value: OTHER, label: t('card_unlisted') }] : []),
        ]}
      />
      {isAdmin ? (
        <TypedFields number={number} type={type} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('card_only_listed')}
        </Text>
      )}
      {chosen?.key === 'authenticates' && !isAdmin && (
        <Text size="sm" c="dimmed">
          {t('authenticate_forbidden')}
        </Text>
      )}
    </Stack>
  );
}

function TypedFields({ number, type }: { number: string; type: (number: string) => void }) {
  const t = useBillingText();
  const [year] = useState(() => new Date().getFullYear() + YEARS_AHEAD);
  const digits = { inputMode: 'numeric', autoComplete: 'off', required: true } as const;
  return (
    <>
      <TextInput
        label={t('card_number')}
        name="card_number"
        value={number}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        maxLength={30}
        {...digits}
      />
      <Group grow gap="sm" align="flex-end" preventGrowOverflow={false}>
        <TextInput
          label={t('card_month')}
          name="exp_month"
          type="number"
          min={1}
          max={12}
          defaultValue={12}
          {...digits}
        />
        <TextInput
          label={t('card_year')}
          name="exp_year"
          type="number"
          min={2000}
          max={9999}
          defaultValue={year}
          {...digits}
        />
        <TextInput label={t('card_cvc')} name="cvc" pattern="[0-9]{3,4}" defaultValue="123" {...digits} />
      </Group>
    </>
  );
}
