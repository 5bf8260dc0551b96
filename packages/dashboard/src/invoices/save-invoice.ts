import type { Invoice } from '@seathold/client';
import { api } from '../api/index.ts';
import { saveFile } from '../ui/save-file.ts';

/** The API accepts the session's cookie only from scripts of this page, so the file is fetched and not linked. */
export async function saveInvoice({ id, number }: Invoice): Promise<void> {
  saveFile(await api().invoices.getPdf(id), 'application/pdf', `${number ?? id}.pdf`);
}
