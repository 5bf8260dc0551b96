import type { Invoice } from '@seathold/client';
import { Table, useMoney, useNumber, usePercent } from '../ui/index.ts';
import { balanceDue } from './balance-due.ts';
import { useInvoicesText } from './messages.ts';
import './invoice-amounts.css';

/** The lines of an invoice, and how they add up to the unpaid amount. */
export function InvoiceAmounts({ invoice }: { invoice: Invoice }) {
  return (
    <>
      <Lines invoice={invoice} />
      <Sums invoice={invoice} />
    </>
  );
}

function Lines({ invoice: { lines, currency } }: { invoice: Invoice }) {
  const t = useInvoicesText();
  const number = useNumber();
  const money = useMoney();
  return (
    <Table
      label={t('amounts')}
      columns={[
        { title: t('description'), show: ({ description }) => description },
        { title: t('quantity'), isNumber: true, show: ({ quantity }) => number(quantity) },
        { title: t('unit_amount'), isNumber: true, show: ({ unit_amount: amount }) => money(amount, currency) },
        { title: t('amount'), isNumber: true, show: ({ amount }) => money(amount, currency) },
      ]}
      items={lines.map((line, at) => ({ ...line, key: `${at} ${line.description}` }))}
      keyOf={({ key }) => key}
    />
  );
}

/** Below the lines and not in their table, so that a narrow screen shows the total without scrolling. */
function Sums({ invoice }: { invoice: Invoice }) {
  const t = useInvoicesText();
  const money = useMoney();
  const percent = usePercent();
  const { coupon_code: coupon, discount, tax_lines: taxLines, credit_applied: credit } = invoice;
  const sums: Array<readonly [name: string, minor: number]> = [
    [t('subtotal'), invoice.subtotal],
    ...(discount > 0 ? [[t('discount', { coupon: coupon ?? '' }), -discount] as const] : []),
    ...taxLines.map((line) => [`${line.name} ${percent(Number(line.percent))}`, line.amount] as const),
    [t('total'), invoice.total],
    ...(credit > 0 ? [[t('credit_applied'), -credit] as const] : []),
    [t('due'), invoice.amount_due],
    ...(invoice.amount_paid > 0 ? [[t('paid_amount'), -invoice.amount_paid] as const] : []),
    [t('balance'), balanceDue(invoice)],
  ];
  return (
    <dl className="invoice-sums">
      {sums.map(([name, minor]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{money(minor, invoice.currency)}</dd>
        </div>
      ))}
    </dl>
  );
}
