/** What the link of a mail brought. */
export interface Mailed {
  code: string;
  /** The address that was invited; of invitations alone. */
  email: string;
}

/** Codes of another form are no codes of ours. */
export function readMailed(hash: string): Mailed {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const code = values.get('code') ?? '';
  return /^\w{1,128}$/.test(code) ? { code, email: values.get('email') ?? '' } : { code: '', email: '' };
}
