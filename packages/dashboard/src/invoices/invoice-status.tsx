import type { Invoice } from '@seathold/client';
import { Status, type Tone } from '../ui/index.ts';
import { useInvoicesText } from './messages.ts';

const TONES = {
  draft: 'idle',
  open: 'warning',
  paid: 'success',
  void: 'idle',
  uncollectible: 'danger',
} as const satisfies Record<Invoice['status'], Tone>;

/** Whether an invoice is paid. */
export function InvoiceStatus({ status }: Pick<Invoice, 'status'>) {
  const t = useInvoicesText();
  return <Status tone={TONES[status]}>{t(status)}</Status>;
}
