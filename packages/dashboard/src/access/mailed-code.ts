import { useEffect, useState } from 'react';

/** What the link of a mail brought. */
export interface Mailed {
  code: string;
  /** The address that was invited; of invitations alone. */
  email: string;
}

/**
 * What stands behind the # of the link that a mail brought here; empty when somebody came without one. No server and no log
 * has seen it, and once it is read it is gone from the address too.
 */
export function useMailedCode(): Mailed {
  const [mailed] = useState(() => readMailed(window.location.hash));
  useEffect(() => {
    if (window.location.hash !== '') {
      window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
    }
  }, []);
  return mailed;
}

/** Codes of another form are no codes of ours. */
export function readMailed(hash: string): Mailed {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const code = values.get('code') ?? '';
  return /^\w{1,128}$/.test(code) ? { code, email: values.get('email') ?? '' } : { code: '', email: '' };
}
