import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../../test/harness/read-pdf.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { renderInvoice } from './render-invoice.ts';

const PARTY = { name: 'Nobody', address: '', taxId: '', email: '' };

const DOCUMENT: InvoiceDocument = {
  number: 'ACME-000042',
  status: 'paid',
  issuedAtMs: Date.UTC(2026, 0, 31, 12),
  paidAtMs: Date.UTC(2026, 0, 31, 12, 0, 2),
  periodStartMs: Date.UTC(2026, 0, 31, 12),
  periodEndMs: Date.UTC(2026, 1, 28, 12),
  seller: { name: 'Ångström & Söhne GmbH', address: 'Weg 1\n10115 Berlin', taxId: 'DE123456789', email: '' },
  buyer: { name: 'Łukasz Żółć', address: 'ul. Długa 1\nWarszawa', taxId: 'PL1', email: 'bills@example.com' },
  lines: [{ description: 'Pro, 5 seats', quantity: 5, unitAmount: 2_900, amount: 14_500 }],
  subtotal: 14_500,
  discount: 1_450,
  couponCode: 'LAUNCH',
  taxLines: [],
  total: 13_050,
  credit: 2_000,
  amountDue: 11_050,
  amountPaid: 11_050,
  currency: 'usd',
  card: { brand: 'visa', last4: '4242' },
  watermark: '',
};

const pagesOf = async (changes: Partial<InvoiceDocument>) =>
  readPdf(await renderInvoice({ ...DOCUMENT, ...changes })).pages;
/** As one text, without line breaks, because names are written in pieces if their letters need several fonts. */
const textOf = async (changes: Partial<InvoiceDocument>) => (await pagesOf(changes)).join('').replaceAll('\n', '');
const named = (name: string) => textOf({ buyer: { ...PARTY, name } });
const sha256 = (file: Buffer) => createHash('sha256').update(file).digest('hex');

describe('the PDF of an invoice', () => {
  it('shows the number, dates, seller, buyer, lines, totals and payment', async () => {
    const [page = ''] = await pagesOf({});
    const { seller, buyer } = DOCUMENT;
    const parties = [seller.name, buyer.name, 'Weg 1', '10115 Berlin', 'ul. Długa 1', 'Warszawa', buyer.email];
    const lines = ['Pro, 5 seats', '5', '29.00', '145.00'];
    const facts = [
      'ACME-000042',
      'January 31, 2026',
      'January 31, 2026 – February 28, 2026',
      'Paid on January 31, 2026',
    ];
    const payment = 'Paid 110.50 USD on January 31, 2026 with Visa ending in 4242.';
    const written = page.split('\n');
    for (const part of [...parties, ...lines, ...facts, payment, 'Tax ID DE123456789', 'Page 1 of 1']) {
      expect(written).toContain(part);
    }
  });

  /** The totals from first to last, with labels and amounts alternating. */
  const totalsOf = async (changes: Partial<InvoiceDocument>) => {
    const written = (await pagesOf(changes)).join('\n').split('\n');
    return written.slice(written.indexOf('Subtotal'), written.indexOf('Balance due') + 2);
  };

  it('shows how the lines add up to the amount due, with credit and discount once each', async () => {
    expect(await totalsOf({})).toEqual([
      ...['Subtotal', '145.00 USD', 'Discount (LAUNCH)', '-14.50 USD', 'Total', '130.50 USD'],
      ...['Credit applied', '-20.00 USD', 'Amount due', '110.50 USD', 'Amount paid', '-110.50 USD'],
      ...['Balance due', '0.00 USD'],
    ]);
  });

  it('leaves out zero amounts, and shows each tax rate', async () => {
    const plain = { discount: 0, couponCode: '', credit: 0, total: 14_500, amountDue: 14_500, amountPaid: 0 };
    expect(await totalsOf({ ...plain, status: 'open', paidAtMs: null })).toEqual([
      ...['Subtotal', '145.00 USD', 'Total', '145.00 USD', 'Amount due', '145.00 USD', 'Balance due', '145.00 USD'],
    ]);
    const taxLines = [{ name: 'VAT', percent: '19.0', taxable: 14_500, amount: 2_755 }];
    const taxed = { ...plain, taxLines, total: 17_255, amountDue: 17_255 };
    expect((await totalsOf(taxed)).slice(2, 6)).toEqual([
      'VAT 19.0% on 145.00 USD',
      '27.55 USD',
      'Total',
      '172.55 USD',
    ]);
  });

  it('shows TEST across every page in the sandbox', async () => {
    const lines = Array.from({ length: 60 }, () => ({ description: 'Pro', quantity: 1, unitAmount: 100, amount: 100 }));
    const pages = await pagesOf({ lines, watermark: 'TEST' });
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) {
      expect(page.split('\n')).toContain('TEST');
    }
    expect(await textOf({})).not.toContain('TEST');
  });

  it('is tagged, with its language, so that a screen reader reads its table', async () => {
    const { objects } = readPdf(await renderInvoice({ ...DOCUMENT, buyer: { ...PARTY, name: 'דוגמה مثال' } }));
    const has = (part: string) => objects.some((object) => object.includes(part));
    const parts = [
      '/MarkInfo',
      '/Marked true',
      '/StructTreeRoot',
      '/Lang (en-US)',
      '/S /H1',
      '/S /Table',
      '/S /TH',
      '/S /TD',
    ];
    expect(parts.filter((part) => !has(part))).toEqual([]);
    // Right-to-left text is stored in reading order.
    expect(has('/ActualText')).toBe(true);
  });

  it('is identical byte for byte, in another process too', async () => {
    const once = sha256(await renderInvoice(DOCUMENT));
    const again = sha256(await renderInvoice(DOCUMENT));
    const program = `const { renderInvoice } = await import(process.argv[1]);
      const { createHash } = await import('node:crypto');
      const file = await renderInvoice(JSON.parse(process.argv[2]));
      process.stdout.write(createHash('sha256').update(file).digest('hex'));`;
    const renderer = new URL('./render-invoice.ts', import.meta.url).href;
    const elsewhere = execFileSync(
      process.execPath,
      ['--input-type=module', '-e', program, renderer, JSON.stringify(DOCUMENT)],
      { encoding: 'utf8', env: { TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8' } },
    );
    expect([again, elsewhere]).toEqual([once, once]);
  });

  it('shows when the invoice was issued, not when it was drawn, and the seller', async () => {
    const { objects } = readPdf(
      await renderInvoice({ ...DOCUMENT, seller: { ...PARTY, name: 'Acme (Berlin) \\ Co' } }),
    );
    const strings = objects.map((object) => object.slice(object.indexOf('\n') + 1));
    expect(strings.filter((each) => each === '(D:20260131120000Z)')).toHaveLength(2);
    expect(strings).toContain('(Invoice ACME-000042)');
    expect(strings).toContain('(Acme \\(Berlin\\) \\\\ Co)');
  });

  it.each([
    'Łukasz Żółć GmbH',
    'Ελληνική Εταιρεία',
    'ООО Ромашка',
    '株式会社サンプル',
    '주식회사 예시',
    'Հայկական',
    'ქართული',
    'Công ty Việt Nam',
    'ﾊﾝｶｸ・㈱',
  ])('shows the name %s', async (name) => {
    expect(await named(name)).toContain(name.normalize('NFC'));
  });

  it('shows right-to-left names with their letters in drawing order', async () => {
    const drawn = await named('דוגמה');
    expect(drawn).toContain(Array.from('דוגמה').reverse().join(''));
    // Arabic letters are joined: their glyphs have other forms, but map to the same letters.
    expect(await named('مثال')).toMatch(/[\u0600-\u06ff\ufe70-\ufeff]{3,}/);
  });

  it('shows a character missing from every font by its number', async () => {
    expect(await named('Rocket 🚀 Ltd')).toContain('Rocket ⟨U+1F680⟩ Ltd');
  });

  it('is not broken by control characters, lone surrogates or bidirectional control characters', async () => {
    const text = await named('A\u0000B\u202eC\ud800D\u001b[31mE\nF) Tj ET');
    expect(text).toContain('A BC\ufffdD [31mE F) Tj ET');
  });

  it.each(['open', 'void', 'uncollectible'] as const)('shows that an invoice is %s', async (status) => {
    const text = await textOf({ status, paidAtMs: null, amountPaid: 0, card: null });
    const words = { open: 'Open: not yet paid', void: 'no payment due', uncollectible: 'uncollectible' };
    expect(text).toContain(words[status]);
    expect(text).not.toContain('Visa');
  });

  it('shows amounts with as many decimals as their currency has', async () => {
    expect(await textOf({ currency: 'jpy' })).toContain('11,050 JPY');
    expect(await textOf({ currency: 'kwd' })).toContain('11.050 KWD');
  });

  it('repeats the column heads on each page, with the page number', async () => {
    const lines = Array.from({ length: 100 }, (_, at) => ({
      description: `Line number ${at + 1}`,
      quantity: 1,
      unitAmount: 100,
      amount: 100,
    }));
    const pages = await pagesOf({ lines, subtotal: 10_000, discount: 0, total: 10_000, amountDue: 10_000 });
    expect(pages.length).toBeGreaterThan(2);
    for (const [at, page] of pages.entries()) {
      expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
      expect(page.includes('Line number')).toBe(page.includes('Description'));
    }
    const text = pages.join('\n').split('\n');
    expect(lines.filter(({ description }) => !text.includes(description))).toEqual([]);
  });

  it('fits the longest names, addresses and descriptions', async () => {
    const buyer = { name: 'W'.repeat(200), address: '🚀'.repeat(500), taxId: 'W'.repeat(64), email: 'w@example.com' };
    const line = { description: 'W'.repeat(4_000), quantity: 10_000, unitAmount: -9_007_199_254_740_991, amount: 0 };
    const file = await renderInvoice({
      ...DOCUMENT,
      seller: { ...buyer, address: '\n'.repeat(500) + 'a\n'.repeat(250) },
      buyer,
      lines: Array.from({ length: 20 }, () => line),
    });
    expect(readPdf(file).pages.length).toBeLessThan(6);
  });
});
