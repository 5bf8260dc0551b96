import { useEffect, useState } from 'react';
import { type Mailed, readMailed } from './read-mailed.ts';

/**
 * The fragment of the mailed link; empty if there is none. No server or log has seen it, and it is removed from the URL
 * after it is read.
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
