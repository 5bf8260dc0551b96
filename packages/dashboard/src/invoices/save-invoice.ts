import type { Invoice } from '@seathold/client';
import { api } from '../api/index.ts';
import { saveFile } from '../ui/save-file.ts';

/** The API takes the session's cookie from scripts of this page alone, so the file is fetched and not linked. */
export async function saveInvoice({ id, number }: Invoice): Promise<void> {
  saveFile(await api().invoices.getPdf(id), 'application/pdf', `${number ?? id}.pdf`);
}
