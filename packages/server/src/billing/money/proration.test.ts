import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  type Accrual,
  accrueWholePeriod,
  type CouponTerms,
  discountOf,
  periodAt,
  prorateChange,
  unbilledAmountOf,
} from './periods.ts';

const PERIOD = periodAt(Date.parse('2026-01-31T12:00:00Z'), 0);
const SEAT = 2_900n;

it('two upgrades in a row never credit more than was billed', () => {
  const first = prorateChange(accrueWholePeriod(PERIOD, SEAT), Date.parse('2026-02-14T12:00:00Z'), SEAT, 2n * SEAT);
  const second = prorateChange(first.accrual, Date.parse('2026-02-14T12:00:00Z'), 2n * SEAT, 3n * SEAT);
  const back = prorateChange(second.accrual, Date.parse('2026-02-14T12:00:00Z'), 3n * SEAT, 0n);
  expect([first.amount, second.amount, back.amount]).toEqual([1_450n, 1_450n, -4_350n]);
  expect(back.accrual.billed).toBe(1_450n);
});

it('rounding does not add up: three changes of a third of a cent cost one cent', () => {
  const thirty = { startMs: 0, endMs: 3_000 };
  let accrual: Accrual = accrueWholePeriod(thirty, 10n);
  const amounts = [10n, 11n, 12n].map((before) => {
    const settled = prorateChange(accrual, 2_000, before, before + 1n);
    accrual = settled.accrual;
    return settled.amount;
  });
  expect(amounts).toEqual([0n, 1n, 0n]);
});

it('an unbilled amount is billed with the next change, reduced to what the period still costs', () => {
  const opened = accrueWholePeriod(PERIOD, SEAT);
  expect(unbilledAmountOf(opened)).toBe(0n);
  const late = Date.parse('2026-02-28T08:00:00Z');
  const first = prorateChange(opened, late, SEAT, 2n * SEAT);
  expect(first.amount).toBe(17n);
  const unbilled: Accrual = { ...first.accrual, billed: opened.billed };
  expect(unbilledAmountOf(unbilled)).toBe(17n);
  const second = prorateChange(unbilled, late, 2n * SEAT, 4n * SEAT);
  expect(second.amount).toBe(52n);
  expect(unbilledAmountOf(second.accrual)).toBe(0n);
  expect(prorateChange(unbilled, late, 2n * SEAT, SEAT).amount).toBe(0n);
});

it('proration is exact beyond the range of floating-point numbers', () => {
  const period = periodAt(Date.parse('2026-07-31T00:00:00Z'), 5);
  const price = 1_000_000_000n * 10_000n;
  const { amount, accrual } = prorateChange(
    accrueWholePeriod(period, price),
    period.startMs + 1_000,
    price,
    price + 1n,
  );
  expect(accrual.accrued).toBe(price * 2_678_400n + 2_678_399n);
  expect(amount).toBe(1n);
});

it('a change to a plan of the same price is free, whenever it happens', () => {
  for (const atMs of [PERIOD.startMs, PERIOD.startMs + 1_234_567, PERIOD.endMs]) {
    expect(prorateChange(accrueWholePeriod(PERIOD, SEAT), atMs, SEAT, SEAT).amount).toBe(0n);
  }
});

it('a change outside its period counts at the start or end of it', () => {
  const change = (atMs: number) => prorateChange(accrueWholePeriod(PERIOD, SEAT), atMs, SEAT, 2n * SEAT).amount;
  expect([change(PERIOD.startMs - 5_000), change(PERIOD.endMs + 5_000)]).toEqual([SEAT, 0n]);
});

/** The cells of each table row that begins with a time. Figures on the page have the form 1,234 or -1,234.5678. */
function readRows(): string[][] {
  const page = readFileSync(new URL('../../../../../docs/reference/proration.md', import.meta.url), 'utf8');
  return page.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim().replaceAll(',', ''));
    return /^\d{4}-/.test(cells[1] ?? '') ? [cells.slice(1, -1)] : [];
  });
}

/** The rule's result for a row's time and seats, formatted as on the page. */
function recompute(accrual: Accrual, [when = '', seats = '']: string[], coupon: CouponTerms | null = null) {
  const [from = 0n, to = 0n] = seats.split(' → ').map((quantity) => {
    const price = BigInt(quantity) * SEAT;
    return price - discountOf(coupon, 0, price);
  });
  const atMs = Date.parse(`${when.replace(' ', 'T')}Z`);
  const settled = prorateChange(accrual, atMs, from, to);
  const length = (PERIOD.endMs - PERIOD.startMs) / 1000;
  const left = (PERIOD.endMs - atMs) / 1000;
  const part = (Number(to - from) * left) / length;
  const exact = Number(settled.accrual.accrued) / length;
  const figures = [to - from, left, part.toFixed(4), exact.toFixed(4), settled.accrual.billed, accrual.billed];
  return { row: [when, seats, ...figures.map(String), String(settled.amount)], accrual: settled.accrual };
}

it('the example in the published rule matches the rule', () => {
  const rows = readRows();
  expect(rows).toHaveLength(4);
  let accrual = accrueWholePeriod(PERIOD, 10n * SEAT);
  for (const row of rows.slice(0, 3)) {
    const computed = recompute(accrual, row);
    expect(row).toEqual(computed.row);
    accrual = computed.accrual;
  }
  const quarter: CouponTerms = { percent_off: 25, amount_off: null, duration: 'forever', duration_months: null };
  const discounted = accrueWholePeriod(PERIOD, 10n * SEAT - discountOf(quarter, 0, 10n * SEAT));
  expect(rows[3]).toEqual(recompute(discounted, rows[3] ?? [], quarter).row);
});
