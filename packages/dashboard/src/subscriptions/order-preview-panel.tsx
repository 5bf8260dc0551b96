import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { OrderPreview } from '@seathold/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { Problem, Section, useMoney, usePercent } from '../ui/index.ts';
import { useCouponProblem } from './coupon-problem.ts';
import { useSubscriptionsText } from './messages.ts';
import './change-preview.css';

/** The cost of the order now and in each later period, and the button that places it. */
export function OrderPreviewPanel(props: {
  /** Undefined while there is nothing to order. */
  preview: UseQueryResult<OrderPreview> | undefined;
  isPending: boolean;
  canPay: boolean;
}) {
  const { preview, isPending, canPay } = props;
  const t = useSubscriptionsText();
  const explainCoupon = useCouponProblem();
  const data = preview?.isSuccess ? preview.data : undefined;
  // A refused coupon is explained next to its field.
  const isRefused = preview?.isError === true && explainCoupon(preview.error) === undefined;
  return (
    <Section title={t('preview')}>
      <Stack gap="md">
        {isRefused ? (
          <Problem error={preview.error} retry={() => void preview.refetch()} />
        ) : (
          <section
            className="preview"
            aria-label={t('preview')}
            aria-live="polite"
            aria-busy={preview?.isFetching ?? false}
          >
            {data === undefined ? <Waiting isBusy={preview?.isFetching ?? false} /> : <Amounts preview={data} />}
          </section>
        )}
        <Group justify="space-between" gap="md">
          <Text size="sm" c="dimmed" style={{ flex: '1 1 16rem' }}>
            {t(data?.next_period_amount === 0 ? 'free_text' : 'price_text')}
          </Text>
          <Button type="submit" loading={isPending} disabled={!canPay || preview === undefined}>
            {t(data?.amount_due === 0 ? 'start' : 'pay_now')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

function Waiting({ isBusy }: { isBusy: boolean }) {
  const t = useSubscriptionsText();
  return isBusy ? (
    <Stack gap={10}>
      <Skeleton height={14} />
      <Skeleton height={14} width="70%" />
      <Skeleton height={14} width="85%" />
    </Stack>
  ) : (
    <Text size="sm">{t('nothing_to_order')}</Text>
  );
}

function Amounts({ preview }: { preview: OrderPreview }) {
  const t = useSubscriptionsText();
  const money = useMoney();
  const percent = usePercent();
  const { lines, discount, tax_lines: taxLines, credit_applied: creditApplied, currency, coupon } = preview;
  const rows: Array<readonly [string, number]> = [
    ...lines.map((line) => [line.description, line.amount] as const),
    ...(discount > 0 ? [[`${t('discount')} ${coupon?.code ?? ''}`.trim(), -discount] as const] : []),
    ...taxLines.map((line) => [`${line.name} ${percent(Number(line.percent))}`, line.amount] as const),
    ...(creditApplied > 0 ? [[t('credit_applied'), -creditApplied] as const] : []),
  ];
  return (
    <dl>
      {rows.map(([name, minor]) => (
        <Row key={name} name={name} value={money(minor, currency)} />
      ))}
      <Row name={t('due_now')} value={money(preview.amount_due, currency)} className="sum" testId="order-price" />
      <Row name={t('next_period')} value={money(preview.next_period_amount, currency)} />
    </dl>
  );
}

function Row(props: { name: string; value: string; className?: string; testId?: string }) {
  const { name, value, className, testId } = props;
  return (
    <>
      <dt className={className}>{name}</dt>
      <dd className={className} data-testid={testId}>
        {value}
      </dd>
    </>
  );
}
