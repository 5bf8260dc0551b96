import type { InvoiceDraft } from './make-invoice.ts';

type Added = 'couponCode' | 'tax' | 'taxLines' | 'total';

/**
 * A draft as a payment keeps it until its outcome is known. One that the previous version wrote knows no tax, and has the
 * discount and the credit among its lines.
 */
export type KeptDraft = Omit<InvoiceDraft, Added> & Partial<Pick<InvoiceDraft, Added>>;

/** The draft in this version's form; amounts due and paid do not change. */
export function restoreDraft(kept: KeptDraft): InvoiceDraft {
  const { tax = 0, taxLines = [], subtotal, discount } = kept;
  const total = kept.total ?? subtotal - discount + tax;
  if (kept.total !== undefined) {
    return { ...kept, couponCode: kept.couponCode ?? null, tax, taxLines, total };
  }
  const couponLine = kept.lines.find((line) => line.amount < 0 && line.description.startsWith(COUPON));
  return {
    ...kept,
    // Nothing else was ever negative there.
    lines: kept.lines.filter((line) => line.amount >= 0),
    couponCode: couponLine?.description.slice(COUPON.length) ?? null,
    tax,
    taxLines,
    total,
  };
}

const COUPON = 'Coupon ';
