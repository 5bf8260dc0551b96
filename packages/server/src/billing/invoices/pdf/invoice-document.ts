/** Everything that the PDF of an invoice shows. The same document yields the same file, byte for byte. */
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
  /** Amounts are minor units of the currency. The lines sum to the subtotal. */
  lines: readonly InvoiceDocumentLine[];
  subtotal: number;
  discount: number;
  /** The coupon that gives the discount; empty if there is none. */
  couponCode: string;
  taxLines: readonly InvoiceDocumentTax[];
  /** subtotal - discount + tax */
  total: number;
  credit: number;
  /** total - credit */
  amountDue: number;
  amountPaid: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** The card that paid it. */
  card: { brand: string; last4: string } | null;
  /** A watermark across every page, such as TEST in the sandbox; empty for none. */
  watermark: string;
}

/** The amount of one tax rate. */
interface InvoiceDocumentTax {
  name: string;
  /** A decimal number such as "19.0". */
  percent: string;
  taxable: number;
  amount: number;
}

/** The seller or the buyer on an invoice. Empty fields are omitted. */
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
