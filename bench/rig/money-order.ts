/** What the program that computes money is told. */
export interface MoneyOrder {
  work: 'prorations' | 'bare prorations' | 'invoices' | 'bare invoices';
  seconds: number;
}

/** What came of it. */
export interface MoneyResult {
  perSecond: number;
}
