import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readMail } from '../mail/read-mail.ts';

/** The link to this path in the newest mail to this address. Without a mail server, mails are files. */
export async function mailedLink(folder: string, email: string, path: string): Promise<string> {
  const find = async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.eml')).sort();
    const mails = await Promise.all(names.map(async (name) => readMail(await readFile(join(folder, name), 'utf8'))));
    const mail = mails.findLast(
      ({ headers, parts }) => headers.get('to')?.includes(email) === true && linkIn(parts[0]?.text, path) !== '',
    );
    return linkIn(mail?.parts[0]?.text, path);
  };
  await expect.poll(find).not.toBe('');
  return find();
}

function linkIn(text = '', path: string): string {
  return text.split('\n').find((line) => URL.parse(line.trim())?.pathname === path) ?? '';
}
