import { useEffect, useState } from 'react';
import { type Mailed, readMailed } from './read-mailed.ts';

/**
 * What stands behind the # of the link that a mail brought here; empty when someone came without one. No server and no log
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
