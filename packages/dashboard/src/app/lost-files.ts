/** What could not be imported, as Vite reports it: a file of this page that the service does not have any more, most often. */
const lost = new WeakSet<object>();

/** Keeps in mind which errors came from files that could not be loaded. */
export function watchLostFiles(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => lost.add(payload));
}

/**
 * Loads the page again if this error came from an upgrade while it was open: the service serves other files now. If it still
 * serves the same ones, a second load would fail as the first one did. Between two versions that answer in turn, a page
 * reloads from each of them once.
 */
export async function reloadAfterUpgrade(error: unknown): Promise<void> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src');
  if (!(error instanceof Error) || !lost.has(error) || script == null || sessionStorage.getItem(script) !== null) {
    return;
  }
  const answer = await fetch('/', { cache: 'no-store' });
  if (answer.ok && !(await answer.text()).includes(script)) {
    sessionStorage.setItem(script, 'reloaded');
    window.location.reload();
  }
}
