/** Everything that the PDF of an invoice shows. The same document is the same file, byte for byte. */
export interface InvoiceDocument {
  number: string;
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  /** Times are milliseconds since 1970; days are shown in UTC, as all periods are counted. */
  issuedAtMs: number;
  paidAtMs: number | null;
  periodStartMs: number;
  periodEndMs: number;
  seller: InvoiceParty;
  buyer: InvoiceParty;
  /** Amounts are minor units of the currency. */
  lines: readonly InvoiceDocumentLine[];
  subtotal: number;
  discount: number;
  credit: number;
  total: number;
  amountPaid: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** The card that paid it. */
  card: { brand: string; last4: string } | null;
}

/** One of the two whom an invoice names. What is empty is left out. */
export interface InvoiceParty {
  name: string;
  /** Lines are separated by line feeds. */
  address: string;
  taxId: string;
  email: string;
}

interface InvoiceDocumentLine {
  description: string;
  quantity: number;
  unitAmount: number;
  amount: number;
}
