import { Skeleton, Stack } from '@mantine/core';
import type { ChangePreview } from '@seathold/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { usePaymentFailure } from '../billing/use-payment-failure.ts';
import { Problem, useMoney, usePercent } from '../ui/index.ts';
import { useSubscriptionsText } from './messages.ts';
import './change-preview.css';

/** The cost of a change now and in the next period. Without a preview there is nothing to change. */
export function ChangePreviewPanel({ preview }: { preview: UseQueryResult<ChangePreview> | undefined }) {
  const t = useSubscriptionsText();
  const explain = usePaymentFailure();
  if (preview?.isError) {
    return <Problem error={preview.error} text={explain(preview.error)} retry={() => void preview.refetch()} />;
  }
  return (
    <section className="preview" aria-label={t('preview')} aria-live="polite" aria-busy={preview?.isFetching ?? false}>
      {preview === undefined && t('nothing_to_change')}
      {preview?.isPending && <Waiting />}
      {preview?.isSuccess && <Amounts preview={preview.data} />}
    </section>
  );
}

function Waiting() {
  return (
    <Stack gap={10}>
      <Skeleton height={14} />
      <Skeleton height={14} width="70%" />
      <Skeleton height={14} width="85%" />
    </Stack>
  );
}

function Amounts({ preview }: { preview: ChangePreview }) {
  const t = useSubscriptionsText();
  const money = useMoney();
  const percent = usePercent();
  const { lines, discount, tax_lines: taxLines, credit_applied: creditApplied, currency } = preview;
  const amount = (minor: number) => money(minor, currency);
  const rows: Array<readonly [string, number]> = [
    ...lines.map((line) => [line.description, line.amount] as const),
    ...(discount > 0 ? [[t('discount'), -discount] as const] : []),
    ...taxLines.map((line) => [`${line.name} ${percent(Number(line.percent))}`, line.amount] as const),
    ...(creditApplied > 0 ? [[t('credit_applied'), -creditApplied] as const] : []),
    ...(preview.credit_added > 0 ? [[t('credit_added'), preview.credit_added] as const] : []),
    ...(preview.carried > 0 ? [[t('carried'), preview.carried] as const] : []),
  ];
  return (
    <>
      <dl>
        {rows.map(([name, minor]) => (
          <Row key={name} name={name} value={amount(minor)} />
        ))}
        <Row name={t('due_now')} value={amount(preview.amount_due)} isSum />
        <Row name={t('next_period')} value={amount(preview.next_period_amount)} />
      </dl>
      {preview.credit_added > 0 && <p>{t('credit_text')}</p>}
    </>
  );
}

function Row({ name, value, isSum = false }: { name: string; value: string; isSum?: boolean }) {
  const className = isSum ? 'sum' : undefined;
  return (
    <>
      <dt className={className}>{name}</dt>
      <dd className={className}>{value}</dd>
    </>
  );
}
