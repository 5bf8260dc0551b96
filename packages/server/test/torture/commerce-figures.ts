import type { Invoice } from '@seathold/client';

// The published rule (docs/reference/proration.md), implemented again from its text alone, without any code of the
// service. The amounts in the responses are compared with what follows from their timestamps and quantities.

/**
 * The start of a period: this many calendar months after the first. A shorter month never moves the day permanently.
 */
export function monthsLater(firstMs: number, months: number): number {
  const first = new Date(firstMs);
  const later = new Date(firstMs);
  later.setUTCDate(1);
  later.setUTCMonth(first.getUTCMonth() + months);
  const daysOfMonth = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(first.getUTCDate(), daysOfMonth));
  return later.getTime();
}

/** Rounds to the nearest integer, exact halves away from zero. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const whole = size / denominator;
  const nearest = (size % denominator) * 2n >= denominator ? whole + 1n : whole;
  return numerator < 0n ? -nearest : nearest;
}

/** The price of a period: seats times the seat price, minus the coupon's percentage, rounded once. */
export function priceOf(seats: number, seatPrice: number, percentOff = 0): bigint {
  const whole = BigInt(seats) * BigInt(seatPrice);
  return whole - rounded(whole * BigInt(percentOff), 100n);
}

/** One period of a subscription as the rule computes it, and what has been billed for it so far. */
export class PeriodCalculation {
  readonly #startMs: number;
  readonly #endMs: number;
  /** The price at the start of the period, and each change as its difference and the seconds that it applies to. */
  readonly #begunAt: bigint;
  #changes: ReadonlyArray<readonly [difference: bigint, secondsLeft: bigint]> = [];
  #billed: bigint;
  #price: bigint;

  constructor(startMs: number, endMs: number, price: bigint) {
    this.#startMs = startMs;
    this.#endMs = endMs;
    this.#begunAt = price;
    this.#billed = price;
    this.#price = price;
  }

  /** The line amount of a change to this price at that second. Negative for credit. */
  lineOf(price: bigint, atMs: number): bigint {
    return this.#cost([...this.#changes, [price - this.#price, this.#secondsLeft(atMs)]]) - this.#billed;
  }

  /** The same, but the change counts from then on. */
  change(price: bigint, atMs: number): bigint {
    const line = this.lineOf(price, atMs);
    this.#changes = [...this.#changes, [price - this.#price, this.#secondsLeft(atMs)]];
    this.#billed += line;
    this.#price = price;
    return line;
  }

  #cost(changes: ReadonlyArray<readonly [bigint, bigint]>): bigint {
    const seconds = BigInt((this.#endMs - this.#startMs) / 1_000);
    const parts = changes.map(([difference, left]) => difference * left);
    return rounded(
      parts.reduce((sum, part) => sum + part, this.#begunAt * seconds),
      seconds,
    );
  }

  #secondsLeft(atMs: number): bigint {
    return BigInt(this.#endMs / 1_000) - BigInt(Math.floor(atMs / 1_000));
  }
}

/** What an invoice must contain. */
export interface ExpectedInvoice {
  /** Quantity and unit amount of each line; neither discount nor credit is one. */
  lines: ReadonlyArray<readonly [quantity: number, unitAmount: bigint]>;
  discount?: bigint;
  credit?: bigint;
  status?: Invoice['status'];
}

/** The figures of an invoice, recomputed from its lines. Must equal the `figuresOf` the invoice. */
export function expectedFigures({ lines, discount = 0n, credit = 0n, status = 'paid' }: ExpectedInvoice) {
  const amounts = lines.map(([quantity, unitAmount]) => BigInt(quantity) * unitAmount);
  const subtotal = amounts.reduce((sum, amount) => sum + amount, 0n);
  const due = subtotal - discount - credit;
  return {
    status,
    lines: lines.map(([quantity, unitAmount], place) => [BigInt(quantity), unitAmount, amounts[place]]),
    subtotal,
    discount,
    total: subtotal - discount,
    credit,
    due,
    paid: status === 'paid' ? due : 0n,
  };
}

/** The figures that an invoice shows. */
export function figuresOf(invoice: Invoice) {
  return {
    status: invoice.status,
    lines: invoice.lines.map(({ quantity, unit_amount, amount }) => [
      BigInt(quantity),
      BigInt(unit_amount),
      BigInt(amount),
    ]),
    subtotal: BigInt(invoice.subtotal),
    discount: BigInt(invoice.discount),
    total: BigInt(invoice.total),
    credit: BigInt(invoice.credit_applied),
    due: BigInt(invoice.amount_due),
    paid: BigInt(invoice.amount_paid),
  };
}
