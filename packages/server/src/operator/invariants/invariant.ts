/** The subjects of invariants, whose rows are checked one after the other. */
export type SubjectName =
  | 'account'
  | 'subscription'
  | 'invoice'
  | 'payment'
  | 'orphanedPayment'
  | 'paymentMethod'
  | 'creditEntry'
  | 'coupon'
  | 'license'
  | 'seatCount'
  | 'webhookEndpoint';

/** A condition that always holds, in SQL, so that everything is compared in one snapshot of the database. */
export interface Invariant {
  /** Names its statements; lowercase with underscores. */
  name: string;
  /** The condition in plain words. */
  promise: string;
  subject: SubjectName;
  /**
   * The fault of row `s` of the subject, as text, or null; `o` is its organization, and `retention.days` how long
   * events are kept.
   */
  fault: string;
}
