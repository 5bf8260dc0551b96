/** The orders that the program that computes money gets. */
export interface MoneyOrder {
  work: 'prorations' | 'bare prorations' | 'invoices' | 'bare invoices';
  seconds: number;
}

/** What came of it. */
export interface MoneyResult {
  perSecond: number;
}
