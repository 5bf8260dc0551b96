/** The content of a mailed link. */
export interface Mailed {
  code: string;
  /** The invited address; only for invitations. */
  email: string;
}

/** Codes in another format are not ours. */
export function readMailed(hash: string): Mailed {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const code = values.get('code') ?? '';
  return /^\w{1,128}$/.test(code) ? { code, email: values.get('email') ?? '' } : { code: '', email: '' };
}
