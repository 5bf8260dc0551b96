/** What invariants are about: rows of these tables are looked at one after the other. */
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

/** Something that always holds, in SQL, so that one snapshot of the database has everything that it compares. */
export interface Invariant {
  /** Names its statements; lower case and underscores. */
  name: string;
  /** What holds, for people. */
  promise: string;
  subject: SubjectName;
  /**
   * What is wrong with row `s` of the subject, as text, or null; `o` is its organization, and `retention.days` how long
   * events are kept.
   */
  fault: string;
}
