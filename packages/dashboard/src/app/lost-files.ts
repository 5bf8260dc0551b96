/** Vite's error for a failed import: most often a file of this page that the service no longer has. */
const lost = new WeakSet<object>();

/** Remembers which errors came from files that could not be loaded. */
export function watchLostFiles(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => lost.add(payload));
}

/**
 * Reloads the page if this error came from an upgrade while it was open, because the service now serves other files. If
 * it still serves the same ones, a reload would fail as well. With two versions that answer in turn, a page reloads
 * once from each.
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
