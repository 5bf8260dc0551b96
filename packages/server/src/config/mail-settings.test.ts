import { describe, expect, it } from 'vitest';
import { describeConfig, loadConfig } from './index.ts';

function read(environment: Record<string, string>) {
  const { config, problems } = loadConfig(environment);
  return { server: config?.smtpServer, from: config?.mailFrom, problems: problems.map((each) => each.name) };
}

describe('the SMTP server', () => {
  it('is unset by default', () => {
    expect(read({}).server).toBeUndefined();
  });

  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false, user: undefined }],
    ['smtps://mail.example.com/', { host: 'mail.example.com', port: 465, secure: true }],
    ['smtp://[::1]:25', { host: '::1', port: 25 }],
    [
      'smtp://ada%40example.com:p%3A%2F%23@10.0.0.1:2525',
      { host: '10.0.0.1', port: 2525, user: 'ada@example.com', password: 'p:/#' },
    ],
  ])('is read from %s', (url, server) => {
    expect(read({ SEATHOLD_SMTP_URL: url }).server).toMatchObject(server);
  });

  it.each([
    'mail.example.com',
    'http://mail.example.com',
    'smtp:mail.example.com',
    'smtp://',
    'smtp://user@mail.example.com',
    'smtp://user:%ff@mail.example.com',
    'smtp://user:a%0D%0Ab@mail.example.com',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?rejectUnauthorized=false',
    'smtp://mail.example.com:99999',
    'smtp://mail.example.com:0',
  ])('is refused as %s, and the message repeats no part of it', (url) => {
    expect(read({ SEATHOLD_SMTP_URL: url }).problems).toEqual(['SEATHOLD_SMTP_URL']);
    expect(loadConfig({ SEATHOLD_SMTP_URL: url }).problems[0]?.problem).toMatch(
      /^must look like smtp:\/\/user:password@/,
    );
  });

  it('is hidden when settings are printed', () => {
    expect(JSON.stringify(describeConfig({ SEATHOLD_SMTP_URL: 'smtp://a:hunter2@b' }))).not.toContain('hunter2');
  });
});

describe('the sender of mails', () => {
  it.each([
    [undefined, { name: 'Seathold', address: 'no-reply@localhost' }],
    ['a@example.com', { name: '', address: 'a@example.com' }],
    ['"Acme, Inc." <licenses@acme.example>', { name: 'Acme, Inc.', address: 'licenses@acme.example' }],
    ['Köln GmbH <a@example.com>', { name: 'Köln GmbH', address: 'a@example.com' }],
  ])('is read from %s', (text, from) => {
    expect(read(text === undefined ? {} : { SEATHOLD_MAIL_FROM: text }).from).toEqual(from);
  });

  it.each([
    'Seathold',
    'a@b, c@d',
    'Group: a@b;',
    'A <a@b>\r\nBcc: c@d',
    'A\n <a@b>',
    '<a b@c>',
    'a@',
    'ä@example.com',
  ])('is refused as %j', (text) => {
    expect(read({ SEATHOLD_MAIL_FROM: text }).problems).toEqual(['SEATHOLD_MAIL_FROM']);
  });
});
