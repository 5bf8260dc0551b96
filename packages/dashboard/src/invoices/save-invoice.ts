import type { Invoice } from '@seathold/client';
import { api } from '../api/index.ts';

/** The API takes the session's cookie from scripts of this page alone, so the file is fetched and not linked. */
export async function saveInvoice({ id, number }: Invoice): Promise<void> {
  const bytes = await api().invoices.getPdf(id);
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  Object.assign(document.createElement('a'), { href: url, download: `${number ?? id}.pdf` }).click();
  URL.revokeObjectURL(url);
}
