import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMail } from '../../test/mail/read-mail.ts';
import { composeMail, type MailToCompose } from './compose-mail.ts';
import { createFileTransport } from './file-transport.ts';
import { inkOn } from './mail-html.ts';
import type { MailContent } from './mailer.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'seathold-mail-'));
});

afterAll(() => rm(root, { recursive: true, force: true }));

const MAIL: MailToCompose = {
  id: 'mail_01k0000000000000000000000a',
  recipient: 'zoë@example.com',
  content: {
    subject: 'Zoë lädt dich ein: 招待状 für ein sehr langes Vorhaben, das auf keine Zeile passt',
    paragraphs: ['Guten Tag, Zoë & <b>Freunde</b>.', 'Der Code gilt eine Stunde.'],
    code: 'svc_reset_abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789=1F',
    link: { label: 'Weiter', url: 'https://localhost:8443/reset?from=mail&x=1' },
  },
  queuedAt: new Date('2026-03-04T05:06:07.890Z'),
  from: { name: 'Seathold GmbH, Köln', address: 'no-reply@example.com' },
  brand: { name: 'Seathold', logoUrl: '', color: '#1d4ed8', supportEmail: '' },
  isSandbox: false,
};

function makeMail(content: Partial<MailContent>, changes: Partial<MailToCompose> = {}): MailToCompose {
  return { ...MAIL, ...changes, content: { subject: 'a subject', paragraphs: ['a sentence'], ...content } };
}

async function write(mail: MailToCompose, folder = 'all'): Promise<string> {
  const { file } = await createFileTransport(join(root, folder)).send(composeMail(mail), new AbortController().signal);
  return file ?? '';
}

async function read(mail: MailToCompose) {
  const raw = await readFile(await write(mail), 'latin1');
  return { raw, ...readMail(raw) };
}

describe('a mail written to a file', () => {
  it('is in a folder and a file that only the service can read, named by its time and ID, and leaves no draft', async () => {
    const file = await write(MAIL, 'modes');
    expect(await readdir(join(root, 'modes'))).toEqual([
      '2026-03-04T05-06-07.890Z-mail_01k0000000000000000000000a.eml',
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(root, 'modes'))).mode & 0o777).toBe(0o700);
  });

  it('is still one file if it is written again', async () => {
    await write(MAIL, 'again');
    await write(MAIL, 'again');
    expect(await readdir(join(root, 'again'))).toHaveLength(1);
  });

  it('has every header that mail programs expect, with the intended text', async () => {
    const { raw, headers } = await read(MAIL);
    expect(Object.fromEntries(headers)).toMatchObject({
      from: 'Seathold GmbH, Köln <no-reply@example.com>',
      to: Buffer.from('zoë@example.com').toString('latin1'),
      subject: MAIL.content.subject,
      date: 'Wed, 04 Mar 2026 05:06:07 +0000',
      'message-id': '<mail_01k0000000000000000000000a@example.com>',
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
    });
    expect([...headers.keys()]).not.toContain('x-mailer');
    expect(raw.split('\r\n').filter((line) => line.length > 998 || /[\r\n]/.test(line))).toEqual([]);
  });

  it('has the same content as text and as HTML', async () => {
    const { headers, parts } = await read(MAIL);
    expect(headers.get('content-type')).toMatch(/^multipart\/alternative;/);
    expect(parts.map((part) => part.headers.get('content-type'))).toEqual([
      'text/plain; charset=utf-8',
      'text/html; charset=utf-8',
    ]);
    const [text, html] = parts.map((part) => part.text);
    expect(text?.split('\r\n')).toEqual(
      expect.arrayContaining([...MAIL.content.paragraphs, MAIL.content.code, MAIL.content.link?.url]),
    );
    expect(html).toContain(`<pre>${MAIL.content.code}</pre>`);
    expect(html).toContain('Zoë &#38; &#60;b&#62;Freunde&#60;/b&#62;.');
    expect(html).toContain('<a href="https://localhost:8443/reset?from=mail&#38;x=1">');
  });

  it('shows a code on one line in the file itself, with the sentences around it wrapped', async () => {
    const sentence = 'This sentence is much longer than any line of a mail should be, and so it goes on in the next.';
    const { raw } = await read(
      makeMail({ paragraphs: [sentence, 'x'.repeat(76)], code: MAIL.content.code?.slice(0, 60) ?? '' }),
    );
    expect(raw).toContain(`\r\n${MAIL.content.code?.slice(0, 60)}\r\n`);
    expect(raw).toContain(
      'This sentence is much longer than any line of a mail should be, and so\r\nit goes on in the next.\r\n',
    );
  });

  it('shows a code on one line beside a link that is too long for a line, in any position', async () => {
    const code = `svc_evt_${'7Kq2mN'.repeat(7)}`;
    const link = { label: 'Verify', url: `https://localhost:8443/oauth/verify-email?token=${code}` };
    for (let length = 1; length <= 76; length += 1) {
      const paragraphs = ['x'.repeat(length)];
      const { raw, parts } = await read(makeMail({ paragraphs, code, codeNote: 'Or enter this code:', link }));
      expect(raw).toContain(`\r\n${code}\r\n`);
      expect(parts[0]?.text).toContain(`Verify:\r\n${link.url}\r\n`);
    }
  });

  it('loads nothing when it is read', async () => {
    const { parts } = await read(MAIL);
    expect(parts[1]?.text).not.toMatch(/<(?:img|script|link|iframe|object)|url\(|@import|src=/i);
  });
});

describe('a malicious name', () => {
  it('adds no header by a line break in a subject', async () => {
    const { headers, parts } = await read(makeMail({ subject: 'Hi\r\nBcc: all@example.com\r\n\r\nbody\u2028x\0y' }));
    expect(headers.get('subject')).toBe('Hi Bcc: all@example.com body x y');
    expect(headers.has('bcc')).toBe(false);
    expect(parts).toHaveLength(2);
  });

  it('adds no line to the text that would look like a code or a link', async () => {
    const { parts } = await read(makeMail({ paragraphs: ['Ada\r\n\r\n123456\r\n\r\ninvites \u202eyou'] }));
    expect(parts[0]?.text).toBe('Ada 123456 invites you\r\n\r\nSeathold\r\n\r\n');
  });

  it('does not become an element of the HTML', async () => {
    const evil = `"><img src=x onerror='alert(1)'>`;
    const { parts } = await read(
      makeMail({ subject: evil, paragraphs: [evil], code: evil, link: { label: evil, url: `javascript:${evil}` } }),
    );
    expect(parts[1]?.text).not.toContain('<img');
    expect(parts[1]?.text).not.toContain('href');
  });

  it.each([
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'A <b@example.com>',
    'x:a@example.com;',
  ])('is sent to no one if the address is %j', (recipient) => {
    expect(() => composeMail(makeMail({}, { recipient }))).toThrow('the recipient is not one address');
  });
});

it('a subject in the sandbox is marked as such, whatever its length', async () => {
  const { headers } = await read(makeMail({ subject: '👩‍🚀'.repeat(200) }, { isSandbox: true }));
  expect(headers.get('subject')).toMatch(/^\[sandbox\] 👩‍🚀/u);
  expect(headers.get('subject')?.length).toBeLessThanOrEqual(210);
});

describe('the brand of a mail', () => {
  const ACME = {
    name: 'Acme "Studio" & <Co>',
    logoUrl: 'https://acme.example/logo.png?a=1&b="2"',
    color: '#f59e0b',
    supportEmail: 'help@acme.example',
  };

  it('shows its name and support address at the end of both parts, and the color of the button', async () => {
    const { parts } = await read(makeMail({ link: { label: 'Open', url: 'https://a.example/' } }, { brand: ACME }));
    const [text, html] = parts.map((part) => part.text);
    expect(text).toMatch(/Questions\? Contact help@acme\.example\.\r\nAcme "Studio" & <Co>\r\n\r\n$/);
    expect(html).toContain('<a href="mailto:help@acme.example">help@acme.example</a>');
    expect(html).toContain('bgcolor="#f59e0b"');
    expect(html).toContain('color:#000000;');
  });

  it('cannot break out of its element in the HTML', async () => {
    const { parts } = await read(makeMail({}, { brand: ACME }));
    expect(parts[1]?.text).toContain(
      '<img src="https://acme.example/logo.png?a=1&#38;b=&#34;2&#34;" alt="Acme &#34;Studio&#34; &#38; &#60;Co&#62;"',
    );
    expect(parts[1]?.text).not.toContain('<Co>');
  });

  it('has a readable button in every color', () => {
    expect(['#000000', '#1d4ed8', '#ffffff', '#ffff00', '#f59e0b'].map(inkOn)).toEqual([
      '#ffffff',
      '#ffffff',
      '#000000',
      '#000000',
      '#000000',
    ]);
  });
});

describe('a mail with a table', () => {
  const table = [
    { label: 'Pro, 5 seats', note: '5 × 29.00 USD', value: '145.00 USD' },
    { label: 'Amount\r\ndue', value: '<b>145.00 USD</b>', isTotal: true },
  ];

  it('has a line per row in the text, and a row in the HTML', async () => {
    const { parts } = await read(makeMail({ table, closing: 'Thank you.' }));
    const [text, html] = parts.map((part) => part.text);
    expect(text?.split('\r\n').slice(2, 7)).toEqual([
      'Pro, 5 seats: 145.00 USD',
      '  5 × 29.00 USD',
      'Amount due: <b>145.00 USD</b>',
      '',
      'Thank you.',
    ]);
    expect(html).toContain('<td align="right">145.00 USD</td>');
    expect(html).toContain('<tr class="total"><th scope="row" align="left">Amount due</th>');
    expect(html).not.toContain('<b>');
  });
});

describe('a mail with a button', () => {
  it('has a link on its own line in the text', async () => {
    const { parts } = await read(makeMail({ link: { label: 'Open', url: 'https://a.example/page' } }));
    expect(parts[0]?.text).toBe('a sentence\r\n\r\nOpen:\r\nhttps://a.example/page\r\n\r\nSeathold\r\n\r\n');
  });

  it('has the code below the button if a note refers to it, and the closing sentence last', async () => {
    const content = {
      link: { label: 'Open', url: 'https://a.example/page' },
      codeNote: 'Or enter:',
      code: '123456',
      closing: 'Ignore this.',
    };
    const { parts } = await read(makeMail(content));
    expect(parts[0]?.text.split(/(?:\r\n)+/).slice(1, 6)).toEqual([
      'Open:',
      'https://a.example/page',
      'Or enter:',
      '123456',
      'Ignore this.',
    ]);
    const html = parts[1]?.text ?? '';
    const places = ['href="https://a.example/page"', 'Or enter:', '<pre>123456</pre>', 'Ignore this.'].map((each) =>
      html.indexOf(each),
    );
    expect(places.every((place, at) => place > (places[at - 1] ?? 0))).toBe(true);
  });
});
