import type { RecordedApi } from './recorded-api.ts';

/** As seeded: the first is paid, the second is open. */
const PAID_INVOICE = `inv_${'0'.repeat(26)}`;
const OPEN_INVOICE = `inv_${'0'.repeat(25)}2`;

/**
 * Reads invoices and their PDFs: one that is rendered and stored, one that is already stored, one that is only
 * rendered.
 */
export async function useInvoices(api: RecordedApi, token: string): Promise<void> {
  await api.get(`/v1/invoices/${PAID_INVOICE}`, token);
  for (const invoice of [PAID_INVOICE, PAID_INVOICE, OPEN_INVOICE]) {
    await api.get(`/v1/invoices/${invoice}/pdf`, token);
  }
}
